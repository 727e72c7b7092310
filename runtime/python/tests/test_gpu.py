"""Arrays that stay between launches, comparisons, and progress in notebooks."""

import sys
import types

import numpy as np
import pytest

import reconverge
from reconverge._progress import shown


def test_arrays_stay_between_launches(kernels):
    gpu = reconverge.Gpu("tiny", l1_size="4K")
    y, x = gpu.zeros(100), gpu.array(np.arange(100), np.float32)
    for _ in range(3):
        launch = gpu.launch(kernels, "axpy", 1, 128, y, x, 2.0, 100)
    np.testing.assert_array_equal(y.numpy(), 6 * np.arange(100, dtype=np.float32))
    assert launch.machine["l1"]["size"] == 4096 and len(gpu.launches) == 3
    y[:10] = 1
    assert y[9] == 1 and y[10] == 60 and (len(y), y.shape, y.dtype) == (100, (100,), np.float32)
    copied = np.asarray(y)
    copied[0] = 9
    assert y[0] == 1
    assert repr(gpu) == "<Gpu tiny: 3 launches>" and repr(y) == "<DeviceArray float32[100] on tiny>"


def test_faults_of_a_gpu(kernels):
    gpu, other = reconverge.Gpu("tiny"), reconverge.Gpu("tiny")
    with pytest.raises(ValueError, match="array of another `Gpu`"):
        gpu.launch(kernels, "axpy", 1, 32, other.zeros(4), gpu.zeros(4), 1.0, 4)
    with pytest.raises(TypeError, match="`settings` belongs to the `Gpu`"):
        gpu.launch(kernels, "nothing", 1, 32, settings={})
    with pytest.raises(TypeError, match="no setting"):
        reconverge.Gpu("tiny", l1_sise=4)


class Oldest(reconverge.Scheduler):
    looks_ahead = False

    def pick(self, ready, view):
        return view.oldest(ready)


@pytest.mark.filterwarnings("ignore::reconverge.SpeedWarning")
def test_compare_has_a_row_for_each_configuration(kernels):
    seen = []
    y, x = np.zeros(1000, np.float32), np.ones(1000, np.float32)
    vary = {"scheduler": ["oldest-first", Oldest], "sms": [1, 2]}
    found = reconverge.compare(
        kernels, "axpy", 8, 128, y, x, 2.0, 1000, vary=vary, machine="tiny", progress=lambda *numbers: seen.append(numbers)
    )
    assert not y.any() and seen == [(1, 4), (2, 4), (3, 4), (4, 4)] and len(found) == 4
    rows = found.rows
    assert [row["sms"] for row in rows] == [1, 2, 1, 2] and rows[2]["scheduler"].startswith("oldest-")
    assert [row["cycles"] for row in rows[:2]] == [row["cycles"] for row in rows[2:]]
    assert found[0].cycles == rows[0]["cycles"] and "<table>" in found._repr_html_() and "4 configurations" in repr(found)
    machines = reconverge.compare(kernels, "nothing", 1, 32, vary={"machine": ["tiny", "gtx480"]})
    assert [row["machine"] for row in machines.rows] == ["tiny", "gtx480"]


def test_frames_of_comparisons(kernels):
    pandas = pytest.importorskip("pandas")
    frame = reconverge.compare(kernels, "nothing", 1, 32, vary={"sms": [1, 2]}, machine="tiny").frame()
    assert isinstance(frame, pandas.DataFrame) and frame["sms"].tolist() == [1, 2] and "cycles" in frame


@pytest.mark.parametrize("vary, error", [({}, ValueError), ({"sms": 3}, TypeError), ({"sms": "1..4"}, TypeError), ({"sms": []}, TypeError)])
def test_faults_of_compare(kernels, vary, error):
    with pytest.raises(error, match="`vary"):
        reconverge.compare(kernels, "nothing", 1, 32, vary=vary)


def test_a_notebook_shows_progress(monkeypatch):
    assert shown(None) is None or "IPython" in sys.modules
    pages = []
    handle = types.SimpleNamespace(update=pages.append)
    display = types.ModuleType("IPython.display")
    display.HTML = str
    display.display = lambda page, display_id: pages.append(page) or handle
    shell = types.ModuleType("IPython")
    shell.get_ipython = lambda: types.SimpleNamespace(kernel=None)
    shell.display = display
    monkeypatch.setitem(sys.modules, "IPython", shell)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    show = shown(None)
    show(1, 2)
    show(2, 2)
    assert pages == [
        '<progress value="1" max="2"></progress> 1 of 2',
        '<progress value="2" max="2"></progress> 2 of 2',
    ]
    assert shown(False) is None and shown(print) is print
    shell.get_ipython = lambda: None
    assert shown(None) is None
