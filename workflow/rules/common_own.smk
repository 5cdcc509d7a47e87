import hashlib
import shlex

from kinseq.own.settings import WORDS as OWN_WORDS

EXAMPLE = "vowels"
EXAMPLE_DATA = "japanese_vowels"
OWN_FILES = ["index.html", "partition.csv", "distance.csv", "distance.npz", "settings.json"]
OWN_FILES += ["heatmap.png", "map.png", "dendrogram.png"]


def own_settings(given):
    """The key `own` of the configuration checked as far as it can be without reading the data."""
    given = dict(given)
    path = Path(given["data"]).expanduser()
    if not path.exists():
        raise WorkflowError(f"config, own.data: {path}: no such file or folder; check the path")
    if given["name"] == EXAMPLE:
        raise WorkflowError(f"config, own.name: {EXAMPLE!r} is the name of the example; give another name")
    given["data"] = str(path)
    return given


OWN = own_settings(config["own"]) if config.get("own") else None


def own_of(wildcards):
    """Settings of one analysis: the user's, or those of the example."""
    if wildcards.name == EXAMPLE:
        return {"name": EXAMPLE, "k": 9}
    if OWN is None or wildcards.name != OWN["name"]:
        raise WorkflowError(f"own/{wildcards.name}: set own.data and own.name in the configuration to make it")
    return OWN


def own_stamp(wildcards):
    """Digest of names, sizes and times of a user's files, so that a change of any of them is seen."""
    if wildcards.name == EXAMPLE:
        return ""
    root = Path(own_of(wildcards)["data"])
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted(root.rglob("*")) if root.is_dir() else [root]:
        if path.is_file():
            status = path.stat()
            digest.update(f"{path}\0{status.st_size}\0{status.st_mtime_ns}\0".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def own_command(wildcards):
    """The command that repeats an analysis, on one line."""
    given = own_of(wildcards)
    if wildcards.name == EXAMPLE:
        return "snakemake -c2 fig_own"
    if set(given) <= set(OWN_WORDS) and None not in given.values() and SEED == 1:
        value = {key: ",".join(v) if isinstance(v, list) else str(v) for key, v in given.items()}
        words = [f"{word}={shlex.quote(value[key])}" for key, word in OWN_WORDS.items() if key in given]
        return "make cluster " + " ".join(words)
    return f"snakemake -c2 own --configfile {shlex.quote(f'results/own/{wildcards.name}/settings.json')}"


def own_modules(wildcards):
    """Fingerprint of the analysis and of the measures it uses."""
    given = own_of(wildcards).get("measure", ["ssd", "kl_ll"])
    named = given.split(",") if isinstance(given, str) else given
    known = measure_registry.modules()
    return fingerprint("kinseq.own", *[known[name.strip()].module for name in named if name.strip() in known])


def example_files():
    """The worked example, where it is part of everything: its data are here and no experiments were picked."""
    wanted = config["experiments"] == "all" and EXAMPLE_DATA in AVAILABLE
    return [f"<results>/own/{EXAMPLE}/{file}" for file in OWN_FILES] if wanted else []
