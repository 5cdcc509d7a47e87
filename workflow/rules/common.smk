import time
from functools import cache, partial

from snakemake.utils import validate

from kinseq.core.errors import KinseqError
from kinseq.core.schema import check, filled
from kinseq_documents import further, jobs, plan
from kinseq_documents.batches import split
from kinseq_documents.catalogue import base_files, generated, sequences_file
from kinseq_documents.data import acquire
from kinseq_documents.kinds import matrices
from kinseq_documents.project import Project, as_typed
from kinseq_documents.yaml_files import load

BEGAN = time.time()

SCHEMAS = ROOT / "workflow" / "schemas"


def checked_call(function, *arguments, **settings):
    """Call the library; a mistake in the configuration ends the run with one sentence."""
    try:
        return function(*arguments, **settings)
    except KinseqError as error:
        raise WorkflowError(str(error)) from None


# Mistakes are reported with the valid names first; then settings that are left out take their defaults.
SCHEMA = checked_call(load, SCHEMAS / "config.schema.yaml")
config.update(as_typed(config, SCHEMA))
config.update(filled(config, SCHEMA))
checked_call(check, dict(config), SCHEMA, "config")
validate(config, str(SCHEMAS / "config.schema.yaml"))

for _name, _path in config.get("pathvars", {}).items():
    if str(_path).startswith("~"):
        raise WorkflowError(
            f"pathvars.{_name} is {_path}, but Snakemake does not resolve '~' there; write the whole path"
        )
RESULTS = Path(config.get("pathvars", {}).get("results", "results"))
if RESULTS.exists() and not RESULTS.is_dir():
    raise WorkflowError(f"{RESULTS}: is a file where the folder of the results must go; move it away")

PROJECT = checked_call(
    Project.read,
    config,
    Path(config.get("config_dir") or ROOT / "config").expanduser(),
    SCHEMAS,
    os.environ.get("KINSEQ_DATA"),
    checked_call(further.read, RESULTS / further.FILE, config["scale"]),
)
CATALOGUE = PROJECT.catalogue
DOCUMENTS = checked_call(lambda: PROJECT.chosen_documents)


# How the readings were chosen, if that was measured
CHOICES = ROOT / "docs" / "results" / "readings.csv"


# Which data can be had

DATA = "<results>/data.csv"


@cache
def with_availability(table, _):
    """The catalogue, with what cannot be had: what a table says, or what is absent if there is none."""
    missing = PROJECT.absent if table is None else checked_call(acquire.read_table, table)
    return checked_call(plan.with_availability, CATALOGUE, missing)


def current_catalogue():
    """The catalogue, with what can be had: at once if that is known, else after what is missing was asked for.

    An input function that calls it makes its job wait for that; where settings of a job call it, one of its inputs must.
    """
    warn_of_triggers()
    if not PROJECT.can_be_downloaded:
        return with_availability(None, None)
    table = Path(checkpoints.availability.get().output[0])
    return with_availability(table, table.stat().st_mtime_ns)


# What rules ask for


def in_results(files):
    """Files of the library's plan where Snakemake looks for them."""
    if isinstance(files, dict):
        return {name: in_results(file) for name, file in files.items()}
    return f"<results>/{files}" if isinstance(files, str) else [in_results(file) for file in files]


def given(settings):
    """A record as Snakemake compares it: only values of Python's own types count, and of a record alone no change would be seen."""
    return [settings]


def said(target, experiments):
    """Message of a target on the terminal, in place of all of its files."""
    return f"{target}: {PROJECT.about(experiments)}".replace("{", "{{").replace("}", "}}")


def report_labels(part="", experiment=None):
    """Labels in the report of a file of an experiment, by default the one in its name."""
    return lambda wildcards: PROJECT.report_labels(experiment or wildcards.experiment, part)


def growing(amount):
    """A resource that grows when a job is tried again."""
    return lambda wildcards, attempt: amount * attempt


def any_of(experiments):
    """Pattern of a wildcard that is one of some experiments."""
    return "|".join(experiments) or "(?!)"


def planned_on_data(wildcards):
    """The experiment of a job as its kind sees it, on the data that can be had."""
    return plan.planned(current_catalogue(), wildcards.experiment)


def matrices_named(wildcards):
    """Data set, models, measures and trials of a job, as its name says them."""
    return current_catalogue(), wildcards.dataset, split(wildcards.models), split(wildcards.measures), wildcards.trials


def needed_of(wildcards):
    """Sequences, models and log-likelihoods that the matrices of a job are computed from."""
    return in_results(matrices.needed(*matrices_named(wildcards)))


def clustered_of(wildcards):
    """Files that a job clusters: matrices, or the inputs that they are computed from on the way."""
    return in_results(matrices.clustered(*matrices_named(wildcards), keep=config["keep_distances"]))


def sequences_of(wildcards):
    """The file of sequences behind a job."""
    return in_results(sequences_file(CATALOGUE, wildcards.dataset, wildcards.trials))


def base_of(wildcards):
    """Data that a data set is made of; those that are not here may have to be downloaded first."""
    cat = CATALOGUE if generated(CATALOGUE, wildcards.dataset) else current_catalogue()
    return in_results(base_files(cat, wildcards.dataset, wildcards.draw))


def usage_of(wildcards):
    """Where the jobs behind an experiment left what they used."""
    return [f"<benchmarks>/{file}" for file in plan.usage_files(planned_on_data(wildcards).job_files())]


def inputs_of(wildcards):
    """Inputs of the results of an experiment."""
    return in_results(planned_on_data(wildcards).inputs())


def drawn_from(experiments):
    """Inputs of the drawings of a job, the same for all of them, and the printed numbers that each shows."""

    def files(wildcards):
        printed = [path for name in experiments for path in PROJECT.printed(name)]
        inputs = in_results(plan.planned(current_catalogue(), experiments[0]).inputs())
        return inputs | ({"published": printed} if printed else {})

    return files


def rendered_from(wildcards):
    """Inputs of the table and the figure of an experiment."""
    files = in_results(planned_on_data(wildcards).rendered_files())
    return files | {"published": path for path in PROJECT.printed(wildcards.experiment)}


def scores_of_all(wildcards):
    """All tables of scores."""
    current_catalogue()  # asks for missing data first
    return [f"<results>/scores/{experiment}.csv" for experiment in PROJECT.scored]


def timings_of_all(wildcards):
    """What the jobs behind all tables of scores used."""
    current_catalogue()  # asks for missing data first
    return [f"<results>/timings/{experiment}.csv" for experiment in PROJECT.scored]


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


# What the run has used, for make benchmark.


onsuccess:
    jobs.account(RESULTS / "benchmarks" / "runs.tsv", BEGAN)


onerror:
    jobs.account(RESULTS / "benchmarks" / "runs.tsv", BEGAN)
