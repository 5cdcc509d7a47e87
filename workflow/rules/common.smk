import os
from pathlib import Path

import yaml
from snakemake.exceptions import WorkflowError

from kinseq import plan
from kinseq.clustering import registry as clusterer_registry
from kinseq.data import acquire
from kinseq.data import registry as data_registry
from kinseq.errors import KinseqError
from kinseq.fingerprint import fingerprint
from kinseq.measures import registry as measure_registry
from kinseq.schema import check

# One thread a job unless a rule asks for more: numbers must not depend on how a BLAS splits its work.
for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_variable] = "1"

WORKFLOW = Path(workflow.current_basedir).parent
CONFIG = Path(config.get("config_dir") or WORKFLOW.parent / "config")


def parsed(path, schema):
    """A YAML file of the configuration, checked against its schema."""
    try:
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError) as error:
        raise WorkflowError(f"{path}: cannot be read ({' '.join(str(error).split())}); repair it") from None
    checked(document, schema, path)
    return document


def checked(document, schema, where):
    """Check a document; a mistake ends the run with one sentence."""
    rules = yaml.safe_load((WORKFLOW / "schemas" / f"{schema}.schema.yaml").read_text(encoding="utf-8"))
    try:
        check(document, rules, str(where))
    except KinseqError as error:
        raise WorkflowError(str(error)) from None


# Keys that a user's own configuration (or a module's) leaves out take the value of the shipped one.
for _key, _value in parsed(CONFIG / "config.yaml", "config").items():
    config.setdefault(_key, _value)
checked(dict(config), "config", "config")

SCALE = config["scale"]
SEED = config["seed"]
BATCH = config["scales"][SCALE]["batch"]
EXPERIMENTS = {path.stem: parsed(path, "experiment") for path in sorted((CONFIG / "experiments").glob("*.yaml"))}
ROOTS = [Path(root).expanduser() for root in (os.environ.get("KINSEQ_DATA"), config["data_dir"], "data") if root]

try:
    CATALOGUE = plan.catalogue(
        parsed(CONFIG / "datasets.yaml", "datasets"),
        parsed(CONFIG / "models.yaml", "models"),
        parsed(CONFIG / "variants.yaml", "variants"),
        EXPERIMENTS,
    )
except KinseqError as error:
    raise WorkflowError(str(error)) from None


def located(dataset):
    """Folder of a data set's files, None if they are not on this machine."""
    return acquire.locate(dataset, CATALOGUE.datasets[dataset], ROOTS)


def generated(dataset):
    """Whether a data set is made here rather than read from files."""
    return data_registry.modules()[CATALOGUE.datasets[dataset]["loader"]].literals.get("kind") == "generated"


AVAILABLE = [name for name in CATALOGUE.datasets if generated(name) or located(name)]
MISSING = {
    name: acquire.why_missing(name, entry) for name, entry in CATALOGUE.datasets.items() if name not in AVAILABLE
}


def chosen_experiments():
    """Experiments of this run, in the order of their files."""
    wanted = config["experiments"]
    if wanted == "all":
        return list(EXPERIMENTS)
    for name in wanted:
        if name not in EXPERIMENTS:
            raise WorkflowError(f"config, experiments: {unknown('experiment', name, EXPERIMENTS)}")
    return list(wanted)


def unknown(kind, name, valid):
    from kinseq.errors import unknown_name

    return unknown_name(kind, name, valid)


def points_of(experiment):
    """Jobs of an experiment on the data that are there."""
    return plan.points(CATALOGUE, experiment, SCALE, AVAILABLE, BATCH)


def draw_of(dataset, trials):
    """Which file of sequences serves some trials of a data set."""
    return trials if plan.draws_per_trial(CATALOGUE, dataset) else "all"


def sequences_of(wildcards):
    """The file of sequences behind a job."""
    return f"<results>/sequences/{wildcards.dataset}/{draw_of(wildcards.dataset, wildcards.trials)}.npz"


def evidence_of(wildcards):
    """What the measure of a job needs: log-likelihoods, models or nothing."""
    stage = {"loglik": "loglik", "bank": "models", "global": "models"}.get(plan.needs(CATALOGUE, wildcards.measure))
    return f"<results>/{stage}/{wildcards.dataset}/{wildcards.models}/{wildcards.trials}.npz" if stage else []


def stores_distances(dataset):
    """Whether matrices are kept in files of their own: only where a trial has few tasks."""
    return CATALOGUE.datasets[dataset].get("tasks", 1) <= config["store_distances_up_to"]


def code_of_measure(wildcards):
    """Fingerprint of the stage and of the one measure it computes."""
    measure = CATALOGUE.measures[wildcards.measure]["measure"]
    return fingerprint("kinseq.stages.distances", measure_registry.modules()[measure].module)


def code_of_partitions(wildcards):
    """Fingerprint of the clusterers of a job, and of the measure where the job computes the matrices itself."""
    found = clusterer_registry.modules()
    modules = [found[CATALOGUE.clusterers[name]["clusterer"]].module for name in wildcards.clusterers.split("+")]
    return fingerprint("kinseq.stages.partitions", *modules) + (
        "" if stores_distances(wildcards.dataset) else code_of_measure(wildcards)
    )


def code_of_loader(wildcards):
    """Fingerprint of the stage and of the one loader it calls."""
    loader = CATALOGUE.datasets[wildcards.dataset]["loader"]
    return fingerprint("kinseq.stages.sequences", data_registry.modules()[loader].module)


wildcard_constraints:
    dataset="[A-Za-z0-9_]+",
    models=r"[A-Za-z0-9_+]+",
    measure="[A-Za-z0-9_]+",
    clusterers=r"[A-Za-z0-9_+]+",
    trials=r"t\d{3}-\d{3}",
    draw=r"all|t\d{3}-\d{3}",
    experiment="[A-Za-z0-9_]+",
