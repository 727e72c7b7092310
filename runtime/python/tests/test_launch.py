"""Launches: what goes in, and what comes back."""

import numpy as np
import pytest

import reconverge


def axpy(kernels, y, x, a=2.0, n=None, **keywords):
    n = x.size if n is None else n
    return kernels.launch("axpy", (n + 127) // 128, 128, y, x, a, n, machine="tiny", **keywords)


@pytest.mark.parametrize("model", ["timing", "functional", "reference"])
def test_results_come_back(kernels, model):
    x, y = np.arange(1000, dtype=np.float32), np.ones(1000, np.float32)
    launch = axpy(kernels, y, x, model=model)
    np.testing.assert_array_equal(y, 1 + 2 * x)
    assert (launch.model, launch.kernel, launch.grid, launch.block) == (model, "axpy", (8, 1, 1), (128, 1, 1))
    assert (launch.cycles is None) == (model != "timing")
    assert bool(launch.stats) == (model != "reference")


def test_arrays_in_any_order_of_memory(kernels):
    x = np.arange(64, dtype=np.float32).reshape(8, 8).T
    whole = np.zeros((64, 3), np.float32)
    y = whole[:, 1]
    assert not x.flags.c_contiguous and not y.flags.c_contiguous
    axpy(kernels, y, x)
    np.testing.assert_array_equal(y, 2 * x.reshape(-1))
    assert not whole[:, [0, 2]].any()
    backwards = np.zeros(64, np.float32)[::-1]
    axpy(kernels, backwards, x)
    np.testing.assert_array_equal(backwards, 2 * x.reshape(-1))


def test_arrays_without_extents_and_without_elements(kernels):
    x, y = np.array(3, np.float32), np.array(1, np.float32)
    axpy(kernels, y, x)
    assert y == 7
    empty = np.zeros((0, 4), np.float32)
    kernels.launch("axpy", 1, 32, empty, empty.copy(), 1, 0, machine="tiny")
    assert empty.shape == (0, 4)


def test_one_array_twice_is_one_buffer(kernels):
    x = np.arange(10, dtype=np.float32)
    axpy(kernels, x, x, 1)
    np.testing.assert_array_equal(x, 2 * np.arange(10))
    x = np.arange(10, dtype=np.float32)
    axpy(kernels, x[:], x[:], 1)
    np.testing.assert_array_equal(x, 2 * np.arange(10))
    with pytest.raises(ValueError, match="argument 1, `x` of type `float \\*`: the array overlaps that of argument 0"):
        axpy(kernels, x[1:], x[:-1])
    # Neighbours in one array do not overlap.
    halves = np.arange(10, dtype=np.float32)
    axpy(kernels, halves[::2], halves[1::2], 1)
    np.testing.assert_array_equal(halves[::2], [1, 5, 9, 13, 17])


def test_read_only_arrays_may_be_read(kernels):
    x, y = np.arange(4, dtype=np.float32), np.zeros(4, np.float32)
    x.flags.writeable = False
    axpy(kernels, y, x)
    np.testing.assert_array_equal(y, 2 * x)
    y.flags.writeable = False
    # Nothing is written, then something is.
    kernels.launch("axpy", 1, 32, y, x, 1.0, 0, machine="tiny")
    with pytest.raises(ValueError, match="argument 0, `y` .*read-only, and the kernel has written to it"):
        axpy(kernels, y, x)
    np.testing.assert_array_equal(y, 2 * x)


def test_other_types_are_refused(kernels):
    y, n = np.zeros(4, np.float32), 4
    for x, found in [
        (np.zeros(4), "found dtype float64"),
        (np.zeros(4, np.int32), "found dtype int32"),
        (np.zeros(4, ">f4"), "another byte order"),
        (np.zeros(4, np.complex64), "found dtype complex64"),
        ([0.0] * 4, "found a `list`"),
        (1.5, "found a `float`"),
        ("x", "found a `str`"),
        (np.ma.zeros(4, np.float32), "masked"),
        (np.zeros(4, object), "found dtype object"),
    ]:
        with pytest.raises(TypeError, match="argument 1, `x` of type `float \\*`") as raised:
            kernels.launch("axpy", 1, 32, y, x, 1.0, n)
        assert found in str(raised.value)
        assert "float32" in str(raised.value) or "byte order" in str(raised.value) or "masked" in str(raised.value)
    with pytest.raises(TypeError, match="`axpy` takes 4 arguments, 2 given\n  it is `axpy\\("):
        kernels.launch("axpy", 1, 32, y, y)
    with pytest.raises(ValueError, match="there is no kernel `axpi`; did you mean `axpy`"):
        kernels.launch("axpi", 1, 32)


def test_numbers_are_what_the_parameters_are(kernels):
    out = np.zeros(8, np.int64)
    given = [True, -128, 255, -32768, 2**32 - 1, -(2**63), 2**63 - 1, -7.9]
    kernels.launch("numbers", 1, 1, out, *given, machine="tiny")
    assert out.tolist() == [1, -128, 255, -32768, 2**32 - 1, -(2**63), 2**63 - 1, -7]
    of_numpy = [np.bool_(True), np.int8(3), np.array(4, np.uint8), np.int64(5), np.uint32(6), np.int8(7), 8, np.float16(9)]
    kernels.launch("numbers", 1, 1, out, *of_numpy, machine="tiny")
    assert out.tolist() == [1, 3, 4, 5, 6, 7, 8, 9]


@pytest.mark.parametrize(
    "at, value, error, text",
    [
        (0, 2, TypeError, "expected True or False, found an `int`, 2"),
        (1, 128, ValueError, "128 is no `char`, which is from -128 to 127"),
        (2, -1, ValueError, "-1 is no `unsigned char`, which is from 0 to 255"),
        (3, 1.0, TypeError, "expected a whole number, found a `float`, 1.0"),
        (4, 2**200, ValueError, "is no `unsigned int`"),
        (5, "7", TypeError, "expected a whole number, found a `str`, '7'"),
        (6, None, TypeError, "expected a whole number, found a `NoneType`"),
        (7, np.zeros(1), TypeError, "expected a number, found a `ndarray`"),
        (7, 1j, TypeError, "expected a number, found a `complex`"),
    ],
)
def test_numbers_that_do_not_fit(kernels, at, value, error, text):
    given = [True, 1, 1, 1, 1, 1, 1, 1.0]
    given[at] = value
    with pytest.raises(error) as raised:
        kernels.launch("numbers", 1, 1, np.zeros(8, np.int64), *given)
    assert text in str(raised.value) and f"argument {at + 1}, `{'abcdefgh'[at]}` of type" in str(raised.value)


def test_floats_round_and_do_not_become_infinite(kernels):
    y, x = np.zeros(1, np.float32), np.ones(1, np.float32)
    axpy(kernels, y, x, 0.1)
    assert y[0] == np.float32(0.1)
    axpy(kernels, y, x, float("inf"))
    assert np.isinf(y[0])
    with pytest.raises(ValueError, match="1e300 is no `float`"):
        axpy(kernels, y, x, 1e300)


def test_structures(kernels):
    dtype = np.dtype({"names": ["count", "value"], "formats": ["i4", "f8"], "offsets": [0, 8], "itemsize": 16})
    all = np.zeros(4, dtype)
    add = np.array((3, 0.5), dtype)
    kernels.launch("pairs", 1, 4, all, add, machine="tiny")
    kernels.launch("pairs", 1, 4, all, add[()], machine="tiny")
    assert all.tolist() == [(6, 1.0)] * 4
    packed = np.zeros(4, np.dtype([("count", "i4"), ("value", "f8")]))
    with pytest.raises(TypeError, match="of a structured dtype of 16 bytes: count int32 at 0, value float64 at 8"):
        kernels.launch("pairs", 1, 4, packed, add)
    with pytest.raises(TypeError, match="structured"):
        kernels.launch("pairs", 1, 4, all, (3, 0.5))
    with pytest.raises(ValueError, match="it has 16 bytes, 3 given"):
        kernels.launch("pairs", 1, 4, all, b"abc")


def test_vectors(kernels):
    all = np.zeros((4, 4), np.float32)
    kernels.launch("vectors", 1, 4, all, (1, 2, 3, 4), machine="tiny")
    np.testing.assert_array_equal(all, [[1, 0, 0, 4]] * 4)
    with pytest.raises(TypeError, match="last extent is 4 .* shape \\(4, 3\\)"):
        kernels.launch("vectors", 1, 4, np.zeros((4, 3), np.float32), (1, 2, 3, 4))
    with pytest.raises(TypeError, match="last extent is 4"):
        kernels.launch("vectors", 1, 4, all, (1, 2, 3))


def test_complex_numbers_and_halves():
    module = reconverge.compile(
        "#include <cuda_fp16.h>\n"
        "__global__ void k(float2 *c, __half *h) { c->y += 1; *h = __hadd(*h, __float2half(0.5f)); }"
    )
    c, h = np.array([1 + 2j], np.complex64), np.array([1.5], np.float16)
    module.launch("k", 1, 1, c, h, machine="tiny")
    assert c[0] == 1 + 3j and h[0] == 2.0


def test_void_pointers_take_any_numbers(kernels):
    for dtype in ["u1", "S4", "f8", "c16"]:
        x = np.zeros(2, dtype)
        kernels.launch("anything", 1, 1, x, 1, machine="tiny")
        assert x.tobytes()[0] == 1
    with pytest.raises(TypeError, match="expected a numpy array .*object"):
        kernels.launch("anything", 1, 1, np.zeros(1, object), 1)


def test_variables_of_the_program(kernels):
    out, weights, counter = np.zeros(4, np.float32), np.arange(4, dtype=np.float32), np.array(7, np.int32)
    kernels.launch("weighted", 1, 4, out, symbols={"weights": weights, "counter": counter}, machine="tiny")
    np.testing.assert_array_equal(out, weights)
    assert counter == 11
    for symbols, text in [
        ({"weight": weights}, "no `__device__` or `__constant__` variable `weight`"),
        ({"weights": weights[:3]}, "has 16 bytes, the array 12"),
        ({"weights": weights.astype(int)}, "found dtype int64"),
    ]:
        with pytest.raises((TypeError, ValueError), match=text):
            kernels.launch("weighted", 1, 4, out, symbols=symbols)


def test_null_pointers(kernels):
    with pytest.raises(reconverge.TrapError, match="null pointer"):
        kernels.launch("axpy", 1, 1, None, np.zeros(1, np.float32), 1, 1, machine="tiny")


def test_what_kernels_print(kernels):
    assert kernels.launch("says", 1, 2, 5, machine="tiny").output == "thread 0 of 5\nthread 1 of 5\n"


def test_configurations(kernels):
    assert kernels.launch("nothing", (2, 3, 4), [8, 4], machine="tiny").grid == (2, 3, 4)
    for grid, block, error in [
        (0, 1, ValueError), (1, 0, ValueError), (1, 4096, ValueError), (-1, 1, TypeError), (1.5, 1, TypeError),
        ((1, 1, 1, 1), 1, TypeError), ((), 1, TypeError), ("ab", 1, TypeError), (2**40, 1, TypeError),
    ]:
        with pytest.raises(error, match="grid|cannot be launched"):
            kernels.launch("nothing", grid, block)
    with pytest.raises(ValueError, match="dynamic shared memory"):
        kernels.launch("nothing", 1, 1, shared=1 << 20)


def test_templates():
    text = "template <typename T> __global__ void set(T *x, T to) { *x = to; }"
    module = reconverge.compile(text, instantiate=["set<double>"])
    assert module.kernels == {"set<double>": "set<double>(double *x, double to)"}
    x = np.zeros(1)
    module.launch("set<double>", 1, 1, x, 2.5, machine="tiny")
    assert x[0] == 2.5


def test_large_arrays(kernels):
    x = np.zeros(1 << 22, np.float32)
    x[-1] = 3
    y = np.ones_like(x)
    kernels.launch("axpy", 1, 1, y, x, 1.0, 1, machine="tiny", model="functional")
    assert y[0] == 1
    with pytest.raises(ValueError, match="argument 0, `y` of type `float \\*`: device memory has no room for"):
        kernels.launch("axpy", 1, 1, np.zeros(1 << 29, np.float32), x, 1.0, 1)


def test_launches_are_the_same_every_time(kernels):
    def once():
        x, y = np.arange(500, dtype=np.float32), np.ones(500, np.float32)
        launch = axpy(kernels, y, x)
        return str(launch), str(launch.stats), launch.memory, launch.html(), y.tobytes()

    first = once()
    assert first == once()
    x, y = np.arange(500, dtype=np.float32), np.ones(500, np.float32)
    threaded = axpy(kernels, y, x, threads=2)
    assert (str(threaded.stats), threaded.html()) == (first[1], first[3])


def test_statistics(kernels):
    launch = axpy(kernels, np.zeros(100, np.float32), np.ones(100, np.float32))
    stats = launch.stats
    assert stats["cycles"] == launch.cycles > 0 and isinstance(stats["cycles"], int)
    assert stats.unit("cycles") == "cycles" and "cycle" in stats.about("cycles").lower()
    assert set(stats) <= set(reconverge.statistics())
    with pytest.raises(KeyError, match="did you mean `cycles`"):
        stats["cycle"]
    assert "no_such" not in stats and stats.get("no_such") is None
    assert f"cycles={launch.cycles}" in repr(stats)
    assert "<table>" in stats._repr_html_() and "cycles" in str(stats)


def test_frames(kernels):
    pandas = pytest.importorskip("pandas")
    stats = axpy(kernels, np.zeros(100, np.float32), np.ones(100, np.float32)).stats
    frame = stats.frame()
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == ["value", "unit", "about"]
    assert frame.loc["cycles", "value"] == stats["cycles"] and len(frame) == len(stats)


def test_what_a_launch_says(kernels, tmp_path):
    x, y = np.ones(1 << 15, np.float32), np.ones(1 << 15, np.float32)
    launch = kernels.launch("axpy", 256, 128, y, x, 2.0, 1 << 15, l1_size="4K")
    assert repr(launch) == f"<Launch axpy, 256 × 128 on gtx480: {launch.cycles} cycles>"
    assert "warp instructions" in str(launch) and "<pre" in launch._repr_html_()
    assert launch.machine["l1"]["size"] == 4096
    finding = launch.findings[0]
    assert finding.kernel == "axpy" and 0 < finding.share <= 1 and finding.message in str(finding)
    report = launch.report()
    assert "l1.size" in report.html and "module.launch(&quot;axpy&quot;, (256, 1, 1)" in report.html
    assert "<iframe" in report._repr_html_() and "<html" not in report._repr_html_()
    report.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == report.html
    bare = axpy(kernels, np.zeros(4, np.float32), np.ones(4, np.float32), profile=False)
    assert bare.findings == []
    with pytest.raises(ValueError, match="profile=True"):
        bare.report()


def test_checks(kernels):
    launch = kernels.launch("races", 1, 64, np.zeros(1, np.int32), check="races", machine="tiny")
    assert launch.checks and launch.checks[0].file == "kernels.cu" and "race" in str(launch.checks[0])
    assert kernels.launch("nothing", 1, 64, check=["races", "init"], machine="tiny").checks == []
    with pytest.raises(ValueError, match="`check` is one of all, races"):
        kernels.launch("nothing", 1, 1, check="race")


def test_a_machine_that_runs_affine_streams(kernels):
    x, y = np.arange(1000, dtype=np.float32), np.ones(1000, np.float32)
    launch = kernels.launch("axpy", 8, 128, y, x, 2.0, 1000, affine="decoupled")
    np.testing.assert_array_equal(y, 1 + 2 * x)
    assert launch.stats["affine_instructions"] > 0
