import os
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import yaml
from snakemake.exceptions import WorkflowError

from kinseq import plan
from kinseq.clustering import registry as clusterer_registry
from kinseq.data import acquire
from kinseq.data import registry as data_registry
from kinseq.errors import KinseqError, unknown_name
from kinseq.evaluation import registry as metric_registry
from kinseq.fingerprint import fingerprint
from kinseq.measures import registry as measure_registry
from kinseq.render.layout import DIAGRAMS, UNSCORED
from kinseq.schema import check

# One thread a job where no more are asked for; numbers must not depend on how a BLAS splits its work.
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
    # Snakemake's command line knows True and False only.
    if isinstance(_value, bool) and config[_key] in ("true", "false"):
        config[_key] = config[_key] == "true"
checked(dict(config), "config", "config")

RESULTS = Path(config.get("pathvars", {}).get("results", "results"))
if RESULTS.exists() and not RESULTS.is_dir():
    raise WorkflowError(f"{RESULTS}: is a file where the folder of the results must go; move it away")

SCALE = config["scale"]
SEED = config["seed"]
BATCH = config["scales"][SCALE]["batch"]
EXPERIMENTS = {path.stem: parsed(path, "experiment") for path in sorted((CONFIG / "experiments").glob("*.yaml"))}
ROOTS = [Path(root).expanduser() for root in (os.environ.get("KINSEQ_DATA"), config["data_dir"], "data") if root]

try:
    CATALOGUE = plan.catalogue(
        plan.at_scale(parsed(CONFIG / "datasets.yaml", "datasets"), SCALE),
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


@cache
def stamp_of_held(dataset):
    """Stamp of files that somebody holds and no checksum vouches for, so that changed recordings are read again."""
    try:
        return "" if generated(dataset) else acquire.stamp(dataset, CATALOGUE.datasets[dataset], ROOTS)
    except KinseqError as error:
        raise WorkflowError(str(error)) from None


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
            raise WorkflowError(f"config, experiments: {unknown_name('experiment', name, EXPERIMENTS)}")
    return list(wanted)


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
    stages = plan.stages_before(CATALOGUE, wildcards.measure)[-1:]
    return {stage: f"<results>/{stage}/{wildcards.dataset}/{wildcards.models}/{wildcards.trials}.npz" for stage in stages}


def measures_of(wildcards):
    """What a job computes: the measure, its parameters, the models it is run on."""
    return {wildcards.measure: CATALOGUE.measures[wildcards.measure] | {"models": wildcards.models.split("+")}}


def stores_distances(dataset):
    """Whether matrices are kept in files of their own: only where a trial has few tasks."""
    return CATALOGUE.datasets[dataset].get("tasks", 1) <= config["store_distances_up_to"]


def code_of_models(wildcards):
    """Fingerprint of the stage and of the kinds of models it fits."""
    return fingerprint(*plan.code_of_models(CATALOGUE, wildcards.models.split("+")))


def code_of_measure(wildcards):
    """Fingerprint of the stage and of the one measure it computes."""
    measure = CATALOGUE.measures[wildcards.measure]["measure"]
    return fingerprint("kinseq.stages.distances", measure_registry.modules()[measure].module)


def code_of_partitions(wildcards):
    """Fingerprint of the clusterers of a job, and of the measure where the job computes the matrices itself."""
    found = {**clusterer_registry.modules(), **clusterer_registry.segmenters()}
    modules = [found[CATALOGUE.clusterers[name]["clusterer"]].module for name in wildcards.clusterers.split("+")]
    return fingerprint("kinseq.stages.partitions", *modules) + (
        "" if stores_distances(wildcards.dataset) else code_of_measure(wildcards)
    )


def code_of_loader(wildcards):
    """Fingerprint of the stage and of the one loader it calls."""
    loader = CATALOGUE.datasets[wildcards.dataset]["loader"]
    return fingerprint("kinseq.stages.sequences", data_registry.modules()[loader].module)


def matrices_of(wildcards):
    """Stored matrices, or what is needed to compute them on the way."""
    if stores_distances(wildcards.dataset):
        path = "<results>/distances/{dataset}/{models}/{measure}/{trials}.npz"
        return {"sequences": sequences_of(wildcards), "distances": path.format(**wildcards)}
    return {"sequences": sequences_of(wildcards), **evidence_of(wildcards)}


def metrics_of(experiment):
    """Metrics that an experiment computes."""
    return metric_registry.asked_for(EXPERIMENTS[experiment])


def code_with_metrics(experiments, *modules):
    """Fingerprint of some modules and of the files of the metrics that experiments compute."""
    asked = {name for experiment in experiments for name in metrics_of(experiment)}
    return fingerprint(*modules, *metric_registry.modules_of(asked))


def partitions_of(wildcards):
    """Partition files of an experiment."""
    path = "<results>/partitions/{dataset}/{models}/{measure}/{clusterers}/{trials}.npz"
    return [path.format(**point.wildcards) for point in points_of(wildcards.experiment)]


def drawn_of(wildcards):
    """Files of sequences beside each partition file."""
    path = "<results>/sequences/{}/{}.npz"
    return [
        path.format(point.dataset, draw_of(point.dataset, point.wildcards["trials"]))
        for point in points_of(wildcards.experiment)
    ]


def benchmarks_of(wildcards):
    """Benchmark files of every job that an experiment needed."""
    found = []
    for point in points_of(wildcards.experiment):
        given = point.wildcards
        draw = draw_of(point.dataset, given["trials"])
        found.append(f"<benchmarks>/sequences/{point.dataset}/{draw}.tsv")
        for stage in plan.stages_before(CATALOGUE, point.measure):
            found.append(f"<benchmarks>/{stage}/{point.dataset}/{given['models']}/{given['trials']}.tsv")
        if stores_distances(point.dataset):
            found.append("<benchmarks>/distances/{dataset}/{models}/{measure}/{trials}.tsv".format(**given))
        found.append("<benchmarks>/partitions/{dataset}/{models}/{measure}/{clusterers}/{trials}.tsv".format(**given))
    return list(dict.fromkeys(found))


def labels_of(experiments):
    """Printed names of what experiments use, and of nothing else: a new entry must not change their jobs."""
    found = {"true_labels": "true labels", "random_labels": "random labels", "control": "control"}
    parts = [part for experiment in experiments for part in EXPERIMENTS[experiment]["parts"]]
    for part in parts:
        found |= {name: CATALOGUE.datasets[name]["title"] for name in part["datasets"]}
        found |= {name: CATALOGUE.models[name].get("label", name) for name in part["models"]}
        found |= {name: CATALOGUE.measures[name]["label"] for name in part["measures"]}
        found |= {name: CATALOGUE.clusterers[name]["label"] for name in part["clusterers"]}
    return found


def published_of(wildcards):
    """Printed numbers of an experiment; figures have none."""
    path = CONFIG / "published" / f"{wildcards.experiment}.csv"
    return {"published": str(path)} if path.is_file() else {}


def missing_of(experiment):
    """Data sets of an experiment that are not here, with the reason."""
    return {name: MISSING[name] for name in plan.datasets(CATALOGUE, experiment) if name in MISSING}


def nothing_to_draw(experiment):
    """The reasons, if none of the data of an experiment can be had."""
    missing = missing_of(experiment)
    return missing if set(missing) == set(plan.datasets(CATALOGUE, experiment)) else {}


def stand_ins_of(experiment):
    """Titles of the data that an experiment has to do with where those of the documents are missing."""
    named = [CATALOGUE.datasets[name] for name in plan.datasets(CATALOGUE, experiment) if name in AVAILABLE]
    return [entry["title"] for entry in named if entry.get("stand_in_for") in MISSING]


def kind_of(experiment):
    """How an experiment is rendered."""
    return EXPERIMENTS[experiment].get("render", {}).get("kind")


def draws_a_figure(experiment):
    """Whether an experiment is rendered as a figure, alone or beside a table."""
    return kind_of(experiment) in ("curves", *DIAGRAMS) or "strip" in EXPERIMENTS[experiment].get("render", {})


def is_scored(experiment):
    """Whether an experiment clusters anything; others only show data or costs."""
    return kind_of(experiment) not in UNSCORED


def scored_experiments():
    """Experiments of this run that have scores."""
    return [experiment for experiment in chosen_experiments() if is_scored(experiment)]


def diagram_inputs(wildcards):
    """What a figure needs that is not drawn from scores."""
    experiment, kind = wildcards.experiment, kind_of(wildcards.experiment)
    if kind == "costs":
        return {"costs": f"<results>/costs/{experiment}.csv"}
    if kind == "samples":
        dataset = next(name for name in plan.datasets(CATALOGUE, experiment) if name in AVAILABLE)
        return {"sequences": [f"<results>/sequences/{dataset}/{draw_of(dataset, 't000-000')}.npz"]}
    if kind == "scatter":
        return {"scores": f"<results>/scores/{experiment}.csv"}
    if kind == "hinton":
        return {"sequences": drawn_of(wildcards), "partitions": partitions_of(wildcards)}
    return {"sequences": drawn_of(wildcards)[:1], **evidence_of(first_point(experiment))}


def first_point(experiment):
    """Wildcards of the first job of an experiment."""
    return SimpleNamespace(**points_of(experiment)[0].wildcards)


def point_of_diagram(experiment):
    """The job whose matrix a figure shows, and its measure; empty where it shows none or its data are missing."""
    if kind_of(experiment) != "eigenmap" or not points_of(experiment):
        return {}
    point = points_of(experiment)[0]
    return {
        "dataset": point.dataset,
        "trial": point.trials[0],
        "measures": {point.measure: CATALOGUE.measures[point.measure] | {"models": [point.models[0]]}},
    }


def code_of_diagram(wildcards):
    """Fingerprint of what draws a figure, and of the measure where it computes a matrix."""
    shown = code_of_measure(first_point(wildcards.experiment)) if point_of_diagram(wildcards.experiment) else ""
    return code_with_metrics([wildcards.experiment], "kinseq.stages.diagrams") + shown


def has_printed_numbers(experiment):
    """Whether the documents print numbers for an experiment."""
    return (CONFIG / "published" / f"{experiment}.csv").is_file()


def any_of(experiments):
    """Pattern of a wildcard that is one of some experiments."""
    return "|".join(experiments) or "(?!)"


def products(experiment):
    """Every file that an experiment leaves."""
    files = []
    if is_scored(experiment):
        files += [f"<results>/scores/{experiment}.csv", f"<results>/timings/{experiment}.csv"]
        files += [f"<results>/tables/{experiment}.{ending}" for ending in ("csv", "md", "tex", "html")]
    if draws_a_figure(experiment):
        files += [f"<results>/figures/{experiment}.{ending}" for ending in ("svg", "png", "pdf")]
    return files


wildcard_constraints:
    dataset="[A-Za-z0-9_]+",
    models=r"[A-Za-z0-9_+]+",
    measure="[A-Za-z0-9_]+",
    clusterers=r"[A-Za-z0-9_+]+",
    trials=r"t\d{3}-\d{3}",
    draw=r"all|t\d{3}-\d{3}",
    experiment="[A-Za-z0-9_]+",
