from functools import cache

from snakemake.settings.types import RerunTrigger


@cache
def warn_of_triggers():
    """Warn, once, where changes would not be seen: they are known by digests among the parameters of rules.

    Input functions call it, since the settings of a run are not known before its files have been read.
    """
    if workflow.is_main_process and RerunTrigger.PARAMS not in workflow.rerun_triggers:
        logger.warning(
            "rerun-triggers leaves out params: changes of data, options and code are not seen; leave rerun-triggers out of"
            " the profile, or name params there"
        )
