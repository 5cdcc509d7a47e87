# A bare include would leave this file without a default target, and snakemake would silently do nothing.
include: "workflow/Snakefile"


rule default:
    default_target: True
    input:
        rules.all.input,
    message:
        "Everything that was asked for"
