"""PTX and IR: what enters without types, and arrays of other kinds."""

import array
from pathlib import Path

import numpy as np
import pytest

import reconverge

PTX = """
.version 8.0
.target sm_75
.address_size 64
.visible .entry scale(.param .u64 x, .param .f32 factor, .param .u32 n)
{
    .reg .pred %p<2>;
    .reg .b32 %r<3>;
    .reg .f32 %f<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [x];
    ld.param.f32 %f1, [factor];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %tid.x;
    setp.ge.u32 %p1, %r2, %r1;
    @%p1 bra $end;
    mad.wide.u32 %rd2, %r2, 4, %rd1;
    ld.global.f32 %f2, [%rd2];
    mul.f32 %f3, %f2, %f1;
    st.global.f32 [%rd2], %f3;
$end:
    ret;
}
"""
IR = """
kernel store {
  param "out" 0 8
  param "value" 8 4
b0:
  %0 = param.global 0
  %1 = param.b32 8
  st.global.b32 %0, %1
  return
}
"""


@pytest.mark.parametrize("model", ["timing", "functional", "reference"])
def test_ptx_is_launched(model):
    module = reconverge.compile(ptx=PTX)
    assert module.kernels == {"scale": "scale(x: 8 bytes, factor: 4 bytes, n: 4 bytes)"}
    x = np.arange(32, dtype=np.float32)
    launch = module.launch("scale", 1, 32, x, 1.5, 30, machine="tiny", model=model)
    np.testing.assert_array_equal(x[:30], 1.5 * np.arange(30))
    assert list(x[30:]) == [30, 31]
    assert (launch.cycles is None) == (model != "timing")


def test_ptx_is_compiled_again_for_machines(tmp_path):
    path = tmp_path / "scale.ptx"
    path.write_text(PTX)
    module = reconverge.compile(ptx=path, options="-O1")
    for machine in ["gtx480", "h100"]:
        x = np.ones(32, np.float32)
        module.launch("scale", 1, 32, x, np.float32(2), np.uint32(32), machine=machine)
        assert (x == 2).all()


def test_pages_show_the_original_source(tmp_path):
    text = PTX.replace("mov.u32 %r2", ".loc 1 2 5\n    mov.u32 %r2") + '.file 1 "/elsewhere/scale.cu"\n'
    (tmp_path / "scale.ptx").write_text(text)
    (tmp_path / "scale.cu").write_text("// first\n// the original second line\n")
    module = reconverge.compile(ptx=tmp_path / "scale.ptx")
    x = np.ones(32, np.float32)
    page = module.launch("scale", 1, 32, x, 2.0, 32, machine="tiny").html()
    assert "the original second line" in page


def test_ir_is_launched():
    out = np.zeros(1, np.int32)
    reconverge.compile(ir=IR).launch("store", 1, 1, out, -7, machine="tiny")
    assert out[0] == -7


def test_wrong_arguments_of_ptx_are_refused():
    module = reconverge.compile(ptx=PTX)
    x = np.ones(32, np.float32)
    with pytest.raises(TypeError, match="takes 3 arguments, 2 given"):
        module.launch("scale", 1, 32, x, 1.0)
    with pytest.raises(TypeError, match="argument 1, `factor` of 4 bytes: an array needs a pointer"):
        module.launch("scale", 1, 32, x, x, 1)
    with pytest.raises(ValueError, match="argument 2, `n` of 4 bytes: .* does not fit"):
        module.launch("scale", 1, 32, x, 1.0, 1 << 40)
    with pytest.raises(ValueError, match="argument 1, `factor` of 4 bytes: 8 bytes are given"):
        module.launch("scale", 1, 32, x, np.float64(1), 1)


def test_compile_takes_one_text():
    with pytest.raises(TypeError, match="one of a program in CUDA, `ptx` and `ir`"):
        reconverge.compile()
    with pytest.raises(TypeError, match="one of a program in CUDA, `ptx` and `ir`"):
        reconverge.compile("", ptx=PTX)
    with pytest.raises(TypeError, match="go with CUDA"):
        reconverge.compile(ptx=PTX, define={"N": 1})
    with pytest.raises(ValueError, match="looks like a file"):
        reconverge.compile(ptx="scale.ptx")
    with pytest.raises(FileNotFoundError):
        reconverge.compile(ptx=Path("missing.ptx"))
    with pytest.raises(reconverge.CompileError, match="`bogus` is no instruction"):
        reconverge.compile(ptx=PTX.replace("ret;", "bogus.u32 %r1;"))


def test_buffers_and_dlpack():
    module = reconverge.compile(ptx=PTX)
    x = array.array("f", range(32))
    module.launch("scale", 1, 32, x, 2.0, 32, machine="tiny")
    assert x[3] == 6

    class Tensor:
        """What another library's tensor is to this one."""

        def __init__(self, data):
            self.data = data

        def __dlpack__(self, **keywords):
            return self.data.__dlpack__(**keywords)

        def __dlpack_device__(self):
            return self.data.__dlpack_device__()

    tensor = Tensor(np.arange(32, dtype=np.float32))
    module.launch("scale", 1, 32, tensor, 2.0, 32, machine="tiny")
    assert tensor.data[3] == 6


def test_arrays_of_half_precision():
    module = reconverge.compile("""
        #include <cuda_fp16.h>
        #include <cuda_bf16.h>
        __global__ void twice(__half *x) { x[threadIdx.x] = x[threadIdx.x] + x[threadIdx.x]; }
        __global__ void brain(__nv_bfloat16 *x) { x[threadIdx.x] = x[threadIdx.x] + x[threadIdx.x]; }""")
    x = np.arange(8, dtype=np.float16)
    module.launch("twice", 1, 8, x, machine="tiny")
    np.testing.assert_array_equal(x, 2 * np.arange(8))
    with pytest.raises(TypeError, match="bfloat16"):
        module.launch("brain", 1, 8, x, machine="tiny")
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="bfloat16 needs `pip install ml_dtypes`")
    y = np.arange(8).astype(ml_dtypes.bfloat16)
    module.launch("brain", 1, 8, y, machine="tiny")
    np.testing.assert_array_equal(y.astype(np.float32), 2 * np.arange(8))
    with pytest.raises(TypeError, match="float16"):
        module.launch("twice", 1, 8, y, machine="tiny")
