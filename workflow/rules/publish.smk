# What is published of a document, for make publish: everything that belongs to it has to be there, or what `experiments` names of it.
for _document, _members in PROJECT.documents.items():

    rule:
        name:
            f"record_{_document}"
        input:
            in_results(PROJECT.products(_members)),
            lambda wildcards: current_catalogue() and [],
        output:
            f"<results>/documents/{_document}.json",
        log:
            f"<logs>/documents/{_document}.log",
        benchmark:
            f"<benchmarks>/documents/{_document}.tsv"
        conda:
            "../../envs/render.yaml"
        threads: 1
        resources:
            mem_mb=growing(1000),
            runtime=growing(10),
        params:
            settings=lambda wildcards, members=_members: given(PROJECT.record_job(current_catalogue(), members)),
        message:
            f"What is published of {_document}"
        script:
            "../scripts/record.py"
