"""
Which bird songs resemble each other?
=====================================

There are 24 recordings of one second: whistles, trills, and songs of two notes. They are compared by
cepstral features, the default for recordings.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import soundfile

import kinseq

rng = np.random.default_rng(3)
rate = 16000
time = np.arange(rate) / rate


def song(kind: int) -> np.ndarray:
    """One second of sound."""
    low, wobble = rng.uniform(1800, 2200), rng.uniform(18, 22)
    pitch = (
        low + 1500 * time,
        low + 400 * np.sin(2 * np.pi * wobble * time),
        np.where(time < 0.5, low, low + 900),
    )[kind]
    sound = 0.3 * np.sqrt(np.sin(np.pi * time)) * np.sin(2 * np.pi * np.cumsum(pitch) / rate)
    return sound + 0.003 * rng.normal(size=rate)


sounds = [song(number % 3) for number in range(24)]
with tempfile.TemporaryDirectory() as folder:
    for number, sound in enumerate(sounds):
        soundfile.write(Path(folder) / f"song_{number:02d}.wav", sound, rate)
    result = kinseq.cluster(folder)

figure, axes = plt.subplots(result.n_clusters, 3, figsize=(9, 5), sharex=True, sharey=True, layout="constrained")
for group, row in enumerate(np.atleast_2d(axes)):
    for axis, number in zip(row, np.flatnonzero(result.labels == group), strict=False):
        axis.specgram(sounds[number], Fs=rate, NFFT=512, noverlap=384, cmap="Greys", vmin=-140)
        axis.set_ylim(0, 6000)
    row[0].set_ylabel(f"group {group + 1}\nHz")
figure.supxlabel("second")
plt.show()

# %%
# ``kinseq cluster songs`` does the same from a terminal, and writes a page with players: see :doc:`/tutorials/recordings`.

print(result.verdict)
