#!/usr/bin/env bash
# Runs a study through each scheduler that `study --emit` writes for and is installed here, and compares the report with
# that of a plain run, to the byte. Slurm (Debian: slurm-wlm, munge) is started on the loopback for the while, which
# needs root; Snakemake comes from PyPI, GNU parallel from Debian.
#
#   tests/cluster.sh [path of reconverge]
set -euo pipefail
cd "$(dirname "$0")/.."
tool=$(realpath "${1:-target/release/reconverge}")
work=$(mktemp -d)
trap 'stop_slurm; rm -rf "$work"' EXIT
found=0
study=(dual-path --size test --only lud --only bfs_rodinia)

slurm_pids=()
stop_slurm() { [ ${#slurm_pids[@]} -eq 0 ] || kill "${slurm_pids[@]}" 2>/dev/null || true; }

start_slurm() {
    mkdir -p "$work"/slurm/{state,spool,munge}
    dd if=/dev/urandom of="$work/slurm/munge/key" bs=128 count=1 status=none
    chmod 700 "$work/slurm/munge" && chmod 600 "$work/slurm/munge/key"
    munged --foreground --force --key-file="$work/slurm/munge/key" --socket="$work/slurm/munge/socket" \
        --pid-file="$work/slurm/munge/pid" --log-file="$work/slurm/munge/log" --seed-file="$work/slurm/munge/seed" &
    slurm_pids+=($!)
    cat >"$work/slurm/slurm.conf" <<END
ClusterName=loopback
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=root
AuthInfo=socket=$work/slurm/munge/socket
StateSaveLocation=$work/slurm/state
SlurmdSpoolDir=$work/slurm/spool
SlurmctldPidFile=$work/slurm/slurmctld.pid
SlurmdPidFile=$work/slurm/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
ReturnToService=2
SlurmctldPort=16817
SlurmdPort=16818
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP MaxTime=10
END
    export SLURM_CONF=$work/slurm/slurm.conf
    for _ in $(seq 50); do [ -S "$work/slurm/munge/socket" ] && break; sleep 0.1; done
    slurmctld -D >"$work/slurm/slurmctld.log" 2>&1 &
    slurm_pids+=($!)
    slurmd -D >"$work/slurm/slurmd.log" 2>&1 &
    slurm_pids+=($!)
    for _ in $(seq 100); do sinfo -h -o %T 2>/dev/null | grep -q idle && return; sleep 0.2; done
    tail -n 5 "$work"/slurm/*.log >&2
    return 1
}

same() {
    for file in study.md study.json points.csv index.html; do
        cmp "$work/plain/$file" "$work/$1/$file"
    done
    echo "$1: the same report"
    found=$((found + 1))
}

"$tool" study "${study[@]}" --quiet --out "$work/plain"

if command -v sbatch slurmctld slurmd munged >/dev/null && [ "$(id -u)" = 0 ]; then
    start_slurm
    "$tool" study "${study[@]}" --out "$work/slurm-out" --emit slurm --shards 4 >"$work/study.sh"
    bash "$work/study.sh" --output="$work/slurm/%A_%a.log"
    for _ in $(seq 300); do [ -z "$(squeue -h 2>/dev/null)" ] && break; sleep 0.2; done
    mv "$work/slurm-out" "$work/slurm-report"
    same slurm-report
else
    echo "Slurm: not here, or not root"
fi

if command -v snakemake >/dev/null; then
    "$tool" study "${study[@]}" --out "$work/snakemake" --emit snakemake --shards 4 >"$work/Snakefile"
    (cd "$work" && snakemake --snakefile Snakefile --cores 2 --quiet)
    same snakemake
else
    echo "Snakemake: not here"
fi

if command -v parallel >/dev/null; then
    "$tool" study "${study[@]}" --out "$work/parallel" --emit parallel --shards 4 >"$work/commands"
    parallel <"$work/commands"
    bash -c "$(sed -n '1s/^# parallel < FILE, then: //p' "$work/commands")" >/dev/null
    same parallel
else
    echo "GNU parallel: not here"
fi
echo "$found of 3 schedulers tried"
