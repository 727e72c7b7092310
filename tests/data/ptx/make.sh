#!/bin/sh
# Makes the texts of this folder again: the examples' kernels as PTX, by nvcc and by clang, where these are installed.
# Debian has clang as `clang-14`; docs/ptx.md says which commands make PTX.
cd "$(dirname "$0")/../../.." || exit 1
out=tests/data/ptx
for source in examples/*.cu examples/divergence/*.cu; do
    name=$(basename "$source" .cu)
    if command -v nvcc >/dev/null; then
        { echo "// nvcc $(nvcc --version | sed -n 's/.*V\([0-9.]*\)$/\1/p') -ptx -arch=sm_75 -O3, of the example of this name"
          nvcc -ptx -arch=sm_75 -O3 -I examples/divergence "$source" -o -; } >"$out/$name.nvcc.ptx"
    fi
    if command -v clang-14 >/dev/null; then
        { echo "// clang 14.0.6 --cuda-gpu-arch=sm_75 -O3 -gline-tables-only, PTX 7.2, of the example of this name, with the header beside this file"
          clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_75 -nocudainc -nocudalib -include "$out/cuda_runtime.h" \
              -I "$out" -I examples/divergence -O3 -gline-tables-only -Wno-unknown-cuda-version \
              -Xclang -target-feature -Xclang +ptx72 -S "$source" -o - |
              sed 's#"/[^"]*/__clang_cuda_builtin_vars.h"#"__clang_cuda_builtin_vars.h"#'; } >"$out/$name.clang.ptx"
    fi
done
