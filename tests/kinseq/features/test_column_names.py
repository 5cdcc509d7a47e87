"""Names of columns and the units in them."""

import pytest

from kinseq.features.column_names import titled


@pytest.mark.parametrize(
    ("column", "name", "unit"),
    [
        ("pressure_bar", "pressure", "bar"),
        ("oil_temperature_c", "oil_temperature", "°C"),
        ("flow [l/min]", "flow", "l/min"),
        ("wind_m_s", "wind", "m/s"),
        ("acc_x_m_s2", "acc_x", "m/s²"),
        ("gyro_deg_s", "gyro", "°/s"),
        ("battery_v", "battery", "V"),
        ("acc_v", "acc_v", ""),
        ("hand_acc_a", "hand_acc_a", ""),
        ("pos_m", "pos", "m"),
        ("s", "s", ""),
        ("m_s", "m", "s"),
        ("x_y_z", "x_y_z", ""),
    ],
)
def test_units_are_the_last_parts_of_names(column: str, name: str, unit: str) -> None:
    assert titled(column) == (name, unit)
