"""Collect what the jobs of an experiment cost."""

from pathlib import Path

import pandas as pd
from kinseq.jobs import job
from kinseq.store import write_text

with job(snakemake.log[0], Path(snakemake.scriptdir).parent):
    frames = []
    for path in map(Path, snakemake.input):
        frame = pd.read_csv(path, sep="\t")[["s", "cpu_time", "max_rss"]]
        frame.insert(0, "job", path.with_suffix("").as_posix())
        frames.append(frame)
    table = pd.concat(frames) if frames else pd.DataFrame(columns=["job", "s", "cpu_time", "max_rss"])
    table = table.rename(columns={"s": "seconds", "cpu_time": "cpu_seconds", "max_rss": "peak_memory_mb"})
    write_text(snakemake.output[0], table.sort_values("job").to_csv(index=False, lineterminator="\n"))
