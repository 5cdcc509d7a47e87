import hashlib
from functools import cache

import yaml

from kinseq_app.options import with_own
from kinseq_documents import plan
from kinseq_documents.batches import parse_trials, split
from kinseq_documents.catalogue import generated
from kinseq_documents.data import acquire
from kinseq_documents.data import registry as data_registry
from kinseq.core.errors import KinseqError
from kinseq_documents.fingerprint import fingerprint
from kinseq_documents.kinds import matrices
from kinseq.measures import registry as measure_registry
from kinseq.core.schema import check

# One thread a job where no more are asked for; numbers must not depend on how a BLAS splits its work.
for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_variable] = "1"

CONFIG = Path(config.get("config_dir") or ROOT / "config")


# The configuration, checked


def checked_call(function, *arguments, **settings):
    """Call the library; a mistake in the configuration ends the run with one sentence."""
    try:
        return function(*arguments, **settings)
    except KinseqError as error:
        raise WorkflowError(str(error)) from None


# The parser in C where there is one: there are more than a hundred files, and every command reads them all.
class Once(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """A parser that refuses a key that is given twice, of which the first would count for nothing."""

    def construct_mapping(self, node, deep=False):
        keys = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        for number, key in enumerate(keys):
            if key in keys[:number]:
                raise yaml.YAMLError(f"the key {key!r} is given twice, {str(node.start_mark).strip()}")
        return super().construct_mapping(node, deep)


def loaded(path):
    """A parsed YAML file of the configuration."""
    try:
        return yaml.load(path.read_text(encoding="utf-8"), Loader=Once)
    except UnicodeDecodeError:
        raise WorkflowError(f"{path}: is not UTF-8; save it as that") from None
    except (OSError, yaml.YAMLError) as error:
        raise WorkflowError(f"{path}: cannot be read ({' '.join(str(error).split())}); repair it") from None


@cache
def schema_of(name):
    """A parsed schema."""
    schema = loaded(ROOT / "workflow" / "schemas" / f"{name}.schema.yaml")
    return with_own(schema) if name == "config" else schema


def checked(document, schema, where):
    """A document that fits its schema."""
    checked_call(check, document, schema_of(schema), str(where))
    return document


def parsed(name):
    """A file of the configuration that has a schema of its name."""
    return checked(loaded(CONFIG / f"{name}.yaml"), name, CONFIG / f"{name}.yaml")


def parsed_experiment(path):
    """An experiment, checked against the schema of its kind."""
    document = loaded(path)
    checked(document, checked_call(plan.kind_name, document, str(path)), path)
    checked_call(plan.require_id, document, path.stem, str(path))
    return document


# Keys that a user's own configuration (or a module's) leaves out take the value of the shipped one.
for _key, _value in parsed("config").items():
    config.setdefault(_key, _value)
    # Snakemake's command line knows True and False only.
    if isinstance(_value, bool) and config[_key] in ("true", "false"):
        config[_key] = config[_key] == "true"
checked(dict(config), "config", "config")

RESULTS = Path(config.get("pathvars", {}).get("results", "results"))
if RESULTS.exists() and not RESULTS.is_dir():
    raise WorkflowError(f"{RESULTS}: is a file where the folder of the results must go; move it away")

SEED = config["seed"]
ROOTS = [Path(root).expanduser() for root in (os.environ.get("KINSEQ_DATA"), config["data_dir"], "data") if root]
DATASETS = plan.at_scale(parsed("datasets"), config["scale"])
CATALOGUE = checked_call(
    plan.catalogue,
    DATASETS,
    parsed("models"),
    parsed("variants"),
    {path.stem: parsed_experiment(path) for path in sorted((CONFIG / "experiments").glob("*.yaml"))},
    readings=parsed("readings"),
    scale=config["scale"],
    batch=config["scales"][config["scale"]]["batch"],
)
ABSENT = checked_call(acquire.missing, DATASETS, ROOTS)
HERE = [name for name in DATASETS if name not in ABSENT]
# Nobody knows yet whether these can be had.
OPEN = [] if config["offline"] else [name for name in ABSENT if DATASETS[name].get("download")]
CHOSEN = checked_call(plan.experiment_ids, CATALOGUE, config["experiments"])
SCORED = [name for name in CHOSEN if plan.is_scored(CATALOGUE, name)]


# How the readings were chosen, if that was measured
CHOICES = ROOT / "docs" / "results" / "readings.csv"


# Which data can be had

DATA = "<results>/data.csv"


@cache
def knowing(table, _):
    """The catalogue, with what cannot be had: what a table says, or what is absent if there is none."""
    return checked_call(plan.knowing, CATALOGUE, ABSENT if table is None else checked_call(acquire.read_table, table))


def current_catalogue():
    """The catalogue, with what can be had: at once if that is known, else after what is missing was asked for.

    An input function that calls it makes its job wait for that; where settings of a job call it, one of its inputs must.
    """
    if not OPEN:
        return knowing(None, None)
    table = Path(checkpoints.availability.get().output[0])
    return knowing(table, table.stat().st_mtime_ns)


# What rules ask for


def in_results(files):
    """Files of the library's plan where Snakemake looks for them."""
    if isinstance(files, dict):
        return {name: in_results(file) for name, file in files.items()}
    return f"<results>/{files}" if isinstance(files, str) else [in_results(file) for file in files]


def experiment_of(wildcards):
    """The parsed experiment of a job."""
    return CATALOGUE.experiments[wildcards.experiment]


def growing(amount):
    """A resource that grows when a job is tried again."""
    return lambda wildcards, attempt: amount * attempt


def any_of(experiments):
    """Pattern of a wildcard that is one of some experiments."""
    return "|".join(experiments) or "(?!)"


def planned(wildcards):
    """The experiment of a job, as its kind sees it."""
    return plan.planned(CATALOGUE, wildcards.experiment)


def planned_on_data(wildcards):
    """The same, on the data that can be had."""
    return plan.planned(current_catalogue(), wildcards.experiment)


def matrices_named(wildcards):
    """Data set, models, measures and trials of a job, as its name says them."""
    return current_catalogue(), wildcards.dataset, split(wildcards.models), split(wildcards.measures), wildcards.trials


def needed_of(wildcards):
    """Sequences, models and log-likelihoods that the matrices of a job are computed from."""
    return in_results(matrices.needed(*matrices_named(wildcards)))


def clustered_of(wildcards):
    """What a job clusters: matrices, or what they are computed from on the way."""
    return in_results(matrices.clustered(*matrices_named(wildcards), keep=config["keep_distances"]))


def sequences_of(wildcards):
    """The file of sequences behind a job."""
    return in_results(plan.sequences_file(CATALOGUE, wildcards.dataset, wildcards.trials))


def base_of(wildcards):
    """Data that a data set is made of; what somebody holds may have to be downloaded first."""
    cat = CATALOGUE if generated(CATALOGUE, wildcards.dataset) else current_catalogue()
    return in_results(plan.base_files(cat, wildcards.dataset, wildcards.draw))


def measures_of(wildcards):
    """What a job computes: each measure, its parameters, the models it is run on."""
    return matrices.assigned(CATALOGUE, split(wildcards.measures), split(wildcards.models))


def usage_of(wildcards):
    """Where the jobs behind an experiment left what they used."""
    return [
        f"<benchmarks>/{file}" for file in plan.usage_files(plan.upstream(current_catalogue(), wildcards.experiment))
    ]


def inputs_of(wildcards):
    """What the results of an experiment are computed from."""
    return in_results(planned_on_data(wildcards).inputs())


def drawing_inputs_of(wildcards):
    """What a drawing is computed from, and the printed numbers that it shows."""
    return inputs_of(wildcards) | {"published": path for path in published_of(wildcards.experiment)}


def joint_drawing_inputs(experiments):
    """What drawings of one job are computed from, which is the same for all, and the printed numbers that each shows."""

    def files(wildcards):
        printed = [path for name in experiments for path in published_of(name)]
        return in_results(plan.planned(current_catalogue(), experiments[0]).inputs()) | {"published": printed}

    return files


def made_by(rule):
    """Pattern of the experiments whose results a rule makes."""
    return any_of(plan.made_by(CATALOGUE, rule))


def rendered_as(table, figure):
    """Pattern of the experiments whose results are rendered as a table, a figure, or both."""
    return any_of(plan.rendered_as(CATALOGUE, table, figure))


def drawing_settings(experiments):
    """What the jobs of drawings are told, by the names of the drawings."""
    return {
        name: {
            "experiment": CATALOGUE.experiments[name],
            "labels": plan.labels(CATALOGUE, [name]),
            "missing": plan.nothing_to_draw(current_catalogue(), name),
            "stand_ins": plan.stand_ins(current_catalogue(), name),
        }
        for name in experiments
    }


def published_of(experiment):
    """Printed numbers of an experiment, as a list that is empty if there are none."""
    path = CONFIG / "published" / f"{experiment}.csv"
    return [str(path)] if path.is_file() else []


def scored_of(wildcards):
    """All tables of scores."""
    current_catalogue()  # before what could not be had is told
    return [f"<results>/scores/{experiment}.csv" for experiment in SCORED]


def rendered_of(wildcards):
    """What the table and the figure of an experiment are made from."""
    experiment = wildcards.experiment
    files = in_results(plan.rendered_files(current_catalogue(), experiment))
    return files | {"published": path for path in published_of(experiment)}


@cache
def stamp_of_held(dataset):
    """Stamp of files that somebody holds and no checksum vouches for, so that changed recordings are read again."""
    return "" if generated(CATALOGUE, dataset) else checked_call(acquire.stamp, dataset, DATASETS[dataset], ROOTS)


def folders_of_held():
    """Where data that are read from files lie; a move is told by the table of what can be had."""
    held = [name for name in HERE if not generated(CATALOGUE, name)]
    return {name: str(acquire.locate(name, DATASETS[name], ROOTS) or "") for name in held}


# Fingerprints of the code that a job depends on


def digest_of(*paths):
    """Files that a job reads, and that are no modules."""
    return hashlib.blake2b(b"".join(path.read_bytes() for path in paths), digest_size=8).hexdigest()


RENDERERS = ("kinseq_documents.stages.tables", "kinseq_documents.stages.figures")


def code_of_loader(wildcards):
    return fingerprint(
        "kinseq_documents.stages.sequences", data_registry.modules()[DATASETS[wildcards.dataset]["loader"]].module
    )


def code_of_models(wildcards):
    modules = matrices.model_modules(CATALOGUE, split(wildcards.models))
    return fingerprint("kinseq_documents.stages.models", "kinseq_documents.stages.loglik", *modules)


def code_of_measures(wildcards):
    modules = matrices.measure_modules(CATALOGUE, split(wildcards.measures))
    return fingerprint("kinseq_documents.stages.distances", *modules)


def code_of_partitions(wildcards):
    modules = matrices.clusterer_modules(CATALOGUE, split(wildcards.clusterers))
    measures = [] if config["keep_distances"] else matrices.measure_modules(CATALOGUE, split(wildcards.measures))
    return fingerprint("kinseq_documents.stages.partitions", *modules, *measures)


def code_of_estimates(wildcards):
    modules = planned(wildcards).modules(split(wildcards.problems), split(wildcards.estimators))
    return fingerprint("kinseq_documents.stages.estimates", *modules)


def code_of_times(wildcards):
    return fingerprint("kinseq_documents.stages.estimates", *planned(wildcards).modules())


def code_of_drawings(experiments):
    return fingerprint("kinseq_documents.stages.drawings", *plan.modules(CATALOGUE, experiments))


def code_with_metrics(experiments, *modules):
    return fingerprint(*modules, *plan.metric_modules(CATALOGUE, experiments))


wildcard_constraints:
    dataset="[A-Za-z0-9_]+",
    models=r"[A-Za-z0-9_+@]+",
    measures=r"[A-Za-z0-9_+@]+",
    clusterers=r"[A-Za-z0-9_+@]+",
    problems=r"[A-Za-z0-9_+]+",
    estimators=r"[A-Za-z0-9_+]+",
    trials=r"t\d{3}-\d{3}",
    draw=r"all|t\d{3}-\d{3}",
    experiment="[A-Za-z0-9_]+",
    levels=r"[A-Za-z0-9_+]+",
