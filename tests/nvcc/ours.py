"""Reads our compiler's assembly."""

import re
from pathlib import Path

from listing import Instruction, Listing
from toolkit import ROOT, reconverge, run

CONTROL = {"bra", "exit", "bar", "bssy", "bsync", "warp", "trap"}
OTHER = {"mov", "sel", "low", "high", "pack", "vote", "shfl", "match", "redux", "clock", "enq", "emit", "fence"}
LONG = {"div", "rem", "sqrt", "rsqrt", "exp", "log", "sin", "cos", "pow"}
LINE = re.compile(r"\s+(?:(@!?p\d+)\s+)?([a-z][a-z0-9_.]*)(.*)")


def classify(opcode):
    """The class of an instruction."""
    name, *types = opcode.split(".")
    if name in CONTROL:
        return "control"
    if name == "ld":
        return "load"
    if name in ("st", "atom"):
        return "store"
    if name in OTHER or types[-1:] == ["pred"]:
        return "other"
    return "float" if {"f16", "f32", "f64"} & set(types) else "integer"


def work(opcode, kind):
    """What of a loop's work an instruction does."""
    name, *types = opcode.split(".")
    if kind == "float" and name not in ("setp", "cvt", "min", "max", "neg", "abs"):
        return [("float", 1)]
    if kind in ("load", "store"):
        return [(kind, {"b64": 2, "b128": 4}.get(types[-1] if types else "", 1))]
    if name in ("bar", "shfl", "vote"):
        return [("barrier", 1)]
    return [("comparison", 1)] if name == "setp" else []


def instruction(match, place):
    """The instruction of a line."""
    guard, opcode, operands = match.groups()
    kind = classify(opcode)
    found = Instruction(match.group(0).strip(), kind, work(opcode, kind), place)
    found.long = opcode.split(".")[0] in LONG
    if opcode == "bra":
        found.target, found.falls = operands.split()[0], bool(guard)
    elif opcode == "exit":
        found.falls = bool(guard)
    return found


def listings(path, options):
    """The kernels of a source, by name."""
    text = run([reconverge(), "compile", str(path), "--emit", "asm", *options], cwd=ROOT)
    found, current, place, files = {}, None, ("", 0), []
    for line in text.splitlines():
        words = line.split()
        if line.startswith(".file"):
            files.append(line.split('"')[1])
        elif line.startswith(".kernel"):
            name = line.removeprefix(".kernel ").strip('"')
            current = found[name] = Listing(name)
        elif current is None or not words:
            continue
        elif words[0] == ".registers":
            current.registers = int(words[1])
        elif words[0] == ".loc":
            place = (Path(files[int(words[1])]).name, int(words[2]))
        elif line.endswith(":") and not line.startswith(" "):
            current.labels[line[:-1]] = len(current.instructions)
        elif (match := LINE.match(line)) and not words[0].startswith("."):
            current.instructions.append(instruction(match, place))
    return found
