"""Writes the PTX that Triton and Numba make of kernels here: `python runtime/python/tests/kept.py`, with both installed.

`tests/data/ptx/python` keeps it, so that `test_kept.py` needs neither. `launches.json` has what Triton says of launches.
"""

import importlib.util
import json
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve()
FOLDER = HERE.parents[3] / "tests/data/ptx/python"


def module_of(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def triton_kernels():
    """Name of the example, kernel, arguments and constants as the example launches it last."""
    x, table = np.zeros(4096, np.float32), np.zeros((16, 200), np.float32)
    matrix = np.zeros((64, 64), np.float32)
    yield "addition", "add", (x, x, x, 4096), {"BLOCK": 256}
    yield "softmax", "softmax", (table, table, 200), {"BLOCK": 256}
    yield "layer_norm", "layer_norm", (table, table, x, x, 200, 1e-5), {"BLOCK": 256}
    yield "matrix_product", "product", (matrix, matrix, matrix, 20, 30, 40), {"TILE": 16, "STEP": 8, "arch": 70}
    yield "attention", "attention", (matrix, matrix, matrix, matrix, 24, 0.25), {"TILE": 16, "WIDTH": 16, "arch": 70}
    halves = np.zeros((64, 64), np.float16)
    yield "dot", "dot", (halves, halves, matrix, 20, 30, 40), {"TILE": 16, "STEP": 16}


def tensor_kernels():
    """The types of matrices, and the PTX of `examples/triton/tensor.py` for them, for `sm_80`: with one stage, and with three."""
    import triton
    import triton.language as tl
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    kernel = module_of(HERE.parents[3] / "examples/triton/tensor.py").dot
    for name, of, to, total in (
        ("fp16", "*fp16", "*fp32", tl.float32),
        ("bf16", "*bf16", "*fp32", tl.float32),
        ("tf32", "*fp32", "*fp32", tl.float32),
        ("int8", "*i8", "*i32", tl.int32),
    ):
        types = {"a_pointer": of, "b_pointer": of, "c_pointer": to, "m": "i32", "n": "i32", "k": "i32"}
        constants = {"TILE": 32, "STEP": 32, "SUM": total}
        signature = types | dict.fromkeys(constants, "constexpr")
        # Copies of 16 bytes need rows of as many.
        aligned = {(at,): [["tt.divisibility", 16]] for at in range(len(types))}
        for ending, stages, attributes in (("", 1, {}), ("_stages", 3, aligned)):
            source = ASTSource(fn=kernel, signature=signature, constexprs=constants, attrs=attributes)
            options = {"num_warps": 4, "num_stages": stages}
            yield name + ending, triton.compile(source, target=GPUTarget("cuda", 80, 32), options=options)


def without_paths(ptx):
    """Without the names of files and the sections of a debugger, which say where the compiler ran."""
    lines = [line for line in ptx.split(".section", 1)[0].splitlines() if not line.lstrip().startswith((".loc", ".file"))]
    return "\n".join(line for line in lines if line.strip()) + "\n"


def main():
    import test_numba

    import reconverge.numba
    import reconverge.triton

    FOLDER.mkdir(parents=True, exist_ok=True)
    launches = {}
    for example, name, arguments, constants in triton_kernels():
        kernel = getattr(module_of(HERE.parents[3] / f"examples/triton/{example}.py"), name)
        with reconverge.triton._activated(reconverge.triton.Driver(arch=constants.pop("arch", 75))):
            compiled = kernel.warmup(*map(reconverge.triton._wrapped, arguments), grid=(1,), **constants)
        metadata = compiled.metadata
        launches[example] = {"kernel": name, "block": 32 * metadata.num_warps, "shared": metadata.shared}
        (FOLDER / f"triton_{example}.ptx").write_text(without_paths(compiled.asm["ptx"]))
    for name, compiled in tensor_kernels():
        metadata = compiled.metadata
        launches[f"mma_{name}"] = {"kernel": "dot", "block": 32 * metadata.num_warps, "shared": metadata.shared}
        (FOLDER / f"triton_mma_{name}.ptx").write_text(without_paths(compiled.asm["ptx"]))
    (FOLDER / "launches.json").write_text(json.dumps(launches, indent=1) + "\n")
    floats, whole = np.zeros(64, np.float32), np.zeros(64, np.int64)
    matrix = np.zeros((8, 8), np.float32)
    for kernel, arguments in (
        (test_numba.add, (floats, floats, floats)),
        (test_numba.product, (matrix, matrix, matrix)),
        (test_numba.total, (whole, whole)),
    ):
        ptx = reconverge.numba.compile(kernel, *arguments)
        (FOLDER / f"numba_{kernel.py_func.__name__}.ptx").write_text(without_paths(ptx))


if __name__ == "__main__":
    main()
