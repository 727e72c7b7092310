#!/bin/sh
# In the place of CUDA's assembler: the output is the input, because the simulated driver takes PTX.
if [ "$1" = --version ]; then
    echo "Cuda compilation tools, release 13.0, V13.0.0"
    exit 0
fi
from= to=
while [ $# -gt 0 ]; do
    case $1 in
    -o) to=$2 && shift ;;
    *.ptx) from=$1 ;;
    esac
    shift
done
[ -n "$from" ] && [ -n "$to" ] || { echo "ptxas: write ptxas FILE.ptx -o FILE" >&2; exit 1; }
cp "$from" "$to"
