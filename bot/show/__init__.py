"""What people see: boards in the terminal, marks on pictures, tables, plots, and the JSON that scripts rely on."""
