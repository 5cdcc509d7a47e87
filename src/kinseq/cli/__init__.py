"""The application: people's own files in, clusters and a page of figures out; two samples compared; the command line."""
