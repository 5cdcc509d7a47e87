"""What ``launch.py`` does around snakemake: who works in the folder, a call that can be stopped."""
