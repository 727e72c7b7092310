"""A worker process of a sweep: reads from standard input what to run, and writes a line for each point that is done."""

import json
import sys
from pathlib import Path

from ._native import sweep_points


def main() -> None:
    job = json.load(sys.stdin)
    shard = job["shard"] and tuple(job["shard"])
    sweep_points(job["study"], Path(job["store"]), fresh=job["fresh"], shard=shard, done=lambda identity: print(identity, flush=True))


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
