"""What application and documents draw and write pages with: the look of figures, parts of pages, sounds."""
