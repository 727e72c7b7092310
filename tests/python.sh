#!/usr/bin/env bash
# Builds the Python package, installs it in a virtual environment, and runs its tests (runtime/python/tests).
#
#   tests/python.sh          what `.ci/run` has: a build that is quickly made, without notebook, frames and stubs, which need large
#                            packages, and without lints
#   tests/python.sh --full   all of it, as it is released: with pandas, a notebook's kernel, mypy and clippy
#
# PYTHON is the interpreter, by default `python3`. Where it is missing or older than 3.10, has no `venv`, or pip cannot
# install packages, as without a network, nothing is tested, and that is said.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"
environment=$CARGO_TARGET_DIR/python
packages=(maturin numpy pytest) profile=dev
if [ "${1:-}" = --full ]; then
    packages+=(pandas matplotlib nbclient nbformat ipykernel mypy pandas-stubs) profile=release
fi

skip() {
    echo "SKIPPED: the Python package is not tested: $1" >&2
    exit 0
}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || skip "\`$python\` is not Python 3.10 or newer"
"$python" -m venv --clear "$environment" >/dev/null 2>&1 || skip "\`$python -m venv\` fails (Debian: python3-venv)"
"$environment/bin/pip" install --quiet "${packages[@]}" || skip "pip cannot install ${packages[*]}"

manifest=runtime/python/Cargo.toml
cargo fmt --manifest-path "$manifest" --check
[ $profile = dev ] || cargo clippy --manifest-path "$manifest" --locked --all-targets --quiet -- -D warnings
wheels=$environment/wheels
"$environment/bin/maturin" build --quiet --profile "$profile" --locked --manifest-path "$manifest" --interpreter "$environment/bin/python" --out "$wheels"
"$environment/bin/pip" install --quiet --no-deps --force-reinstall "$wheels"/*.whl
"$environment/bin/python" -m pytest --quiet runtime/python/tests
