from . import computing as computing
from . import dtw as dtw
from . import elastic as elastic
from . import fisher as fisher
from . import fusion as fusion
from . import kl_ll as kl_ll
from . import likelihood as likelihood
from . import ppk as ppk
from . import registry as registry
from . import ssd as ssd
from . import statistics as statistics
from .averaging import barycentre as barycentre
from .computing import compute as compute
from .fitting import compute_with_findings as compute_with_findings
from .registry import Measure as Measure
from .registry import get as get
from .registry import names as names
from .tables import table as table

__all__ = [
    "barycentre",
    "compute",
    "compute_with_findings",
    "get",
    "names",
    "table",
]
