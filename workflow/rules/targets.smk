rule data:
    input:
        DATA,


# One target an experiment and one a chapter, named as in the documents: snakemake tab2_1, snakemake chapter2. What each shows and
# costs, snakemake --list says.
for _experiment in CATALOGUE.experiments:

    rule:
        name:
            _experiment
        input:
            in_results(PROJECT.products([_experiment])),
        message:
            said(_experiment, [_experiment])

    explain(_experiment, PROJECT.about([_experiment]))


for _chapter, _members in plan.chapters(CATALOGUE).items():

    rule:
        name:
            _chapter
        input:
            in_results(PROJECT.products(_members)),
        message:
            said(_chapter, _members)

    explain(_chapter, PROJECT.about(_members))


# And one a printed item that shares an experiment with others, or has another name in its document.
for _item, _members in plan.items(CATALOGUE).items():

    rule:
        name:
            _item
        input:
            in_results(PROJECT.products(_members)),
        message:
            said(_item, _members)

    explain(_item, PROJECT.about(_members))


# And one a document, which leaves what is published of it too: snakemake V.
for _document, _members in PROJECT.documents.items():

    rule:
        name:
            _document
        input:
            in_results(PROJECT.products(_members)),
            f"<results>/documents/{_document}.json",
        message:
            said(_document, _members)

    explain(_document, PROJECT.about(_members))
