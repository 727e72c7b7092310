#!/usr/bin/env bash
# Tests the Python package (runtime/python/tests).
#
#   tests/python.sh          what `.ci/run` runs: the extension from the workspace's own build, without notebook, frames and stubs,
#                            which need large packages
#   tests/python.sh --full   the package as it is released, built by maturin and installed: with pandas, a notebook's kernel,
#                            mypy, Triton and Numba
#
# PYTHON is the interpreter, by default `python3`. Where it is missing or older than 3.10, has no `venv`, or pip cannot
# install packages, as without a network, nothing is tested, and a line says so.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"
environment=$CARGO_TARGET_DIR/python
packages=(numpy pytest)
full=${1:-}
if [ "$full" = --full ]; then
    packages+=(maturin pandas matplotlib nbclient nbformat ipykernel mypy pandas-stubs)
fi

skip() {
    echo "SKIPPED: the Python package is not tested: $1" >&2
    exit 0
}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || skip "\`$python\` is not Python 3.10 or newer"
"$python" -m venv --clear "$environment" >/dev/null 2>&1 || skip "\`$python -m venv\` fails (Debian: python3-venv)"
"$environment/bin/pip" install --quiet "${packages[@]}" || skip "pip cannot install ${packages[*]}"

if [ "$full" = --full ]; then
    # There are not packages for every system.
    "$environment/bin/pip" install --quiet triton "numba-cuda[cu12]" || echo "SKIPPED: Triton and Numba are not tested" >&2
    wheels=$environment/wheels
    "$environment/bin/maturin" build --quiet --profile release --locked --manifest-path runtime/python/Cargo.toml \
        --interpreter "$environment/bin/python" --out "$wheels"
    "$environment/bin/pip" install --quiet --no-deps --force-reinstall "$wheels"/*.whl
else
    # The whole workspace, so that features are those of `cargo test --workspace`, and only the extension is left to build.
    cargo build --workspace --quiet
    site=$("$environment/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
    cp -R runtime/python/package/reconverge "$site"
    library=$(find "$CARGO_TARGET_DIR/debug" -maxdepth 1 -name 'libreconverge_python.*' ! -name '*.d' ! -name '*.rlib')
    cp "$library" "$site/reconverge/_native.abi3.so"
fi
"$environment/bin/python" -m pytest --quiet runtime/python/tests
