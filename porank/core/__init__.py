"""The foundations: compiled orders, arrays, tables, files, columns."""
