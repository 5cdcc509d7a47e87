"""Data sets of the documents: loaders, one file each; where their files are found."""
