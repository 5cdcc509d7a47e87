# What has changed is known by digests among the parameters of rules. Where they do not count, an edit would not be seen.
from snakemake.settings.types import RerunTrigger

if workflow.is_main_process and workflow.dag_settings and RerunTrigger.PARAMS not in workflow.rerun_triggers:
    logger.warning(
        "rerun-triggers leaves out params: changes of data, options and code are not seen; leave rerun-triggers out of the"
        " profile, or name params there"
    )
