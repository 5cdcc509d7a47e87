from kinseq.data.readers import stamp
from kinseq.data.readers.finding import LABELS_FILE
from kinseq.own import request

EXAMPLE = request.EXAMPLE
EXAMPLE_DATA = "japanese_vowels"


def own_settings(given):
    """The key `own` of the configuration, checked as far as it can be without reading the data."""
    try:
        return request.checked(given, RESULTS)
    except KinseqError as error:
        raise WorkflowError(f"config, own: {error}") from None


OWN = own_settings(config["own"]) if config.get("own") else None


def own_of(wildcards):
    """Settings of one analysis: the user's, or those of the example."""
    if wildcards.name == EXAMPLE:
        return {"name": EXAMPLE, "k": 9}
    if OWN is None or wildcards.name != OWN["name"]:
        raise WorkflowError(f"own/{wildcards.name}: set own.data and own.name in the configuration to make it")
    return OWN


def own_stamp(wildcards):
    """Stamp of every file that an analysis reads, so that a change of any of them is seen."""
    if wildcards.name == EXAMPLE:
        return ""
    given = own_of(wildcards)
    return stamp(given["data"], given.get("labels", LABELS_FILE))


def own_command(wildcards):
    """The command that repeats an analysis."""
    return request.repeating(own_of(wildcards), SEED, RESULTS)


def own_modules(wildcards):
    """Fingerprint of the analysis and of the measures, kinds of models and features that it may ask for."""
    return fingerprint(*request.modules(own_of(wildcards)))


def example_files():
    """The worked example, where it is part of everything: its data are here and no experiments were picked."""
    wanted = config["experiments"] == "all" and EXAMPLE_DATA in AVAILABLE
    return [f"<results>/own/{EXAMPLE}/{file}" for file in request.FILES] if wanted else []
