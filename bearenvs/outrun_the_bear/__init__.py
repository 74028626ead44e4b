"""A race through a park, with a bear behind."""
