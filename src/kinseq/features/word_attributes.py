"""Attributes of words from their letters and from short lists: shapes and gazetteer flags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from ..core.errors import ParameterError, is_one_of, unknown_name

YES, NO = "yes", "no"


def _list(words: str) -> frozenset[str]:
    return frozenset(words.split())


FRENCH: Mapping[str, frozenset[str]] = {
    "given_name": _list(
        "albert alexandre alfred alphonse andré anne antoine auguste augustin berthe camille charles claude clément"
        " denis désiré edmond edouard émile ernest etienne eugène félix fernand ferdinand francis françois françoise"
        " gabriel gaston georges gérard guillaume guy gustave hélène henri hippolyte hubert jacques jean jeanne"
        " jérôme joseph jules julien léon léonie léopold louis louise lucien madeleine marc marcel marguerite maria"
        " marie marthe martin maurice maxime michel nicolas octave olivier paul philippe pierre prosper raoul"
        " raymond rené robert roger simon suzanne théodore thérèse thomas victor vincent xavier yves yvonne"
    ),
    "title": _list(
        "m mm mme mlle monsieur madame mademoiselle messieurs mgr monseigneur docteur dr maître me abbé père sœur"
        " saint ste sainte comte comtesse duc duchesse marquis marquise baron baronne prince princesse roi reine"
        " empereur président ministre préfet maire député sénateur général colonel commandant capitaine lieutenant"
        " sergent amiral maréchal professeur directeur secrétaire ambassadeur évêque archevêque cardinal pape curé"
        " veuve"
    ),
    "place": _list(
        "algérie allemagne alsace amérique angers angleterre asie athènes autriche belgique berlin bordeaux brest"
        " bretagne bruxelles bulgarie caen chine constantinople dijon egypte espagne europe france genève grèce"
        " grenoble havre hongrie inde italie japon lille limoges londres lorraine lyon madrid maroc marseille"
        " montpellier moscou nancy nantes nice normandie orléans paris pékin poitiers portugal prusse reims rennes"
        " rome roumanie rouen russie serbie strasbourg suède suisse toulon toulouse tours turquie versailles vienne"
    ),
    "place_word": _list(
        "avenue boulevard bourg canton château chemin cité commune côte département église faubourg fleuve forêt"
        " gare golfe hameau île îles lac mer mont montagne pays place plaine pont port province quai quartier rive"
        " rivière route rue ruelle square vallée village ville"
    ),
    "body_word": _list(
        "académie armée assemblée association banque bureau cabinet chambre cercle club comité commission compagnie"
        " conseil conférence congrès corps cour école etat état faculté fédération gouvernement groupe hospice"
        " hôpital institut journal ligue ministère musée office parlement parti préfecture sénat société syndicat"
        " tribunal union université usine"
    ),
    "month_or_day": _list(
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre lundi mardi mercredi"
        " jeudi vendredi samedi dimanche"
    ),
}
"""Short lists of French words by field: who, what, where and when."""

ENGLISH: Mapping[str, frozenset[str]] = {
    "title": _list("mr mrs miss ms dr sir lord lady president senator governor mayor judge captain colonel"),
    "month_or_day": _list(
        "january february march april may june july august september october november december monday tuesday"
        " wednesday thursday friday saturday sunday"
    ),
    "unit": _list(
        "inch inches foot feet yard yards mile miles pound pounds ounce ounces dollar dollars cent cents percent"
        " acre acres ton tons gallon gallons pint pints degree degrees dozen dozens hundred hundreds thousand"
        " thousands million millions billion billions"
    ),
    "span": _list(
        "second seconds minute minutes hour hours day days week weeks month months year years decade decades"
        " century centuries morning afternoon evening night season spring summer autumn winter"
    ),
    "place_word": _list(
        "street avenue road city town village county state country district area region north south east west coast"
    ),
    "kin": _list(
        "father mother son daughter brother sister wife husband uncle aunt cousin nephew niece parent parents child"
        " children"
    ),
}
"""Short lists of English words by field."""

LISTS: Mapping[str, Mapping[str, frozenset[str]]] = {"french": FRENCH, "english": ENGLISH}


def shape(word: str) -> str:
    """The pattern of a word: ``X``, ``x`` and ``9`` for runs of capitals, small letters and digits; other characters unchanged.

    Examples
    --------
    >>> shape("Micro-soft98")
    'Xx-x9'
    """
    kinds = ["X" if c.isupper() else "x" if c.isalpha() else "9" if c.isdigit() else c for c in word]
    return "".join(kind for kind, _ in groupby(kinds))


def flags(words: Sequence[str], language: str) -> dict[str, list[str]]:
    """For each list of a language, whether the words are in it.

    Parameters
    ----------
    words : sequence of str
        Compared without regard to case.
    language : {"french", "english"}

    Returns
    -------
    dict
        Name of the list to ``"yes"`` or ``"no"`` for each word.
    """
    if not is_one_of(language, LISTS):
        raise ParameterError(unknown_name("language", language, LISTS))
    lower = [word.lower() for word in words]
    return {name: [YES if word in entries else NO for word in lower] for name, entries in LISTS[language].items()}
