"""Logs of events, from a file or in memory, into sessions."""
