import hashlib
import re
import shlex

EXAMPLE = "vowels"
OWN_FILES = ["index.html", "partition.csv", "distance.csv", "distance.npz", "settings.json"]
OWN_FILES += ["heatmap.png", "map.png", "dendrogram.png"]


def own_settings(given):
    """The key `own` of the configuration with a name, checked as far as it can be without reading the data."""
    given = dict(given)
    path = Path(given["data"]).expanduser()
    if not path.exists():
        raise WorkflowError(f"config, own.data: {path}: no such file or folder; check the path")
    stem = path.resolve().name if path.is_dir() else path.stem
    given.setdefault("name", re.sub(r"[^\w.-]+", "_", stem).strip("._") or "own")
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
    words = {"data": "DATA", "k": "K", "measure": "MEASURE", "name": "NAME"}
    if set(given) <= set(words) and SEED == 1:
        value = {key: ",".join(v) if isinstance(v, list) else str(v) for key, v in given.items()}
        return "make cluster " + " ".join(f"{words[key]}={shlex.quote(value[key])}" for key in words if key in given)
    return f"snakemake -c2 own --configfile {shlex.quote(f'results/own/{wildcards.name}/settings.json')}"


def own_modules(wildcards):
    """Fingerprint of the analysis and of the measures it uses."""
    given = own_of(wildcards).get("measure", ["ssd", "kl_ll"])
    named = given.split(",") if isinstance(given, str) else given
    known = measure_registry.modules()
    return fingerprint("kinseq.own", *[known[name.strip()].module for name in named if name.strip() in known])


rule own_example:
    input:
        "<results>/sequences/japanese_vowels/all.npz",
    output:
        directory("<results>/own/vowels/data"),
    log:
        "<logs>/own/vowels_data.log",
    benchmark:
        "<benchmarks>/own/vowels_data.tsv"
    conda:
        "../../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=fingerprint("kinseq.data.writers"),
    message:
        "The vowels as CSV files"
    script:
        "../scripts/own_example.py"


rule own_analysis:
    input:
        lambda wildcards: "<results>/own/vowels/data" if wildcards.name == EXAMPLE else [],
    output:
        ["<results>/own/{name}/" + file for file in OWN_FILES[1:]],
        page=report(
            "<results>/own/{name}/index.html",
            caption="../report/own.rst",
            category="Your own data",
            labels={"name": "{name}"},
        ),
    log:
        "<logs>/own/{name}.log",
    benchmark:
        "<benchmarks>/own/{name}.tsv"
    conda:
        "../../envs/render.yaml"
    threads: 2
    resources:
        mem_mb=4000,
        runtime=120,
    params:
        given=own_of,
        stamp=own_stamp,
        command=own_command,
        seed=SEED,
        code=own_modules,
    message:
        "Clusters and page of {wildcards.name}"
    script:
        "../scripts/own.py"


rule fig_own:
    input:
        [f"<results>/own/{EXAMPLE}/{file}" for file in OWN_FILES],


rule own:
    input:
        [f"<results>/own/{OWN['name']}/{file}" for file in OWN_FILES] if OWN else [],
    log:
        "<logs>/own/result.log",
    benchmark:
        "<benchmarks>/own/result.tsv"


wildcard_constraints:
    name=r"[\w.-]+",
