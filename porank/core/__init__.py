"""What every floor stands on: compiled orders, arrays, tables, files, columns."""
