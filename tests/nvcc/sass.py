"""Reads what nvdisasm says of nvcc's code."""

import re
from pathlib import Path

from listing import Instruction, Listing
from toolkit import run, tool

CLASSES = {
    "integer": """IADD IADD3 IMAD IMUL ISETP ISET LEA LOP LOP3 LOP32I SHF SHL SHR IABS IMNMX VIMNMX FLO POPC BREV PRMT
        BMSK SGXT I2I IDP IDP4A VABSDIFF VABSDIFF4 ISCADD UIADD3 UIMAD ULEA ULOP3 ULOP USHF UISETP UPRMT UFLO UPOPC
        UBREV USGXT UBMSK""",
    "float": """FADD FMUL FFMA FSETP FSET FMNMX MUFU F2F F2I I2F FRND FCHK FSWZADD DADD DMUL DFMA DSETP DMNMX HADD2 HMUL2
        HFMA2 HSETP2 HMNMX2 F2FP I2FP FMUL32I""",
    "load": "LDG LDS LDL LD LDC LDSM TEX TLD TLD4 TXQ",
    "store": "STG STS STL ST ATOM ATOMG ATOMS RED",
    "control": """BRA BRX EXIT RET CALL BSSY BSYNC BREAK JMP WARPSYNC BAR BPT KILL YIELD""",
    "other": """MOV UMOV CS2R S2R S2UR SEL USEL FSEL PLOP3 UPLOP3 P2R R2P R2UR VOTE VOTEU SHFL MATCH REDUX BMOV MEMBAR
        ERRBAR DEPBAR CCTL NANOSLEEP LEPC ULDC NOP B2R MOV32I""",
}
CLASS_OF = {name: kind for kind, names in CLASSES.items() for name in names.split()}
LINE = re.compile(r"\s*/\*[0-9a-f]{4,}\*/\s+(?:(@\S+)\s+)?([A-Z][A-Z0-9_.]*)\s*([^;]*);")
PLACE = re.compile(r'\s*//## File "(.*)", line (\d+)')


def classify(opcode, operands):
    """The class of an instruction; None for the upper half of a pair's operation."""
    parts = opcode.split(".")
    # Upper halves: a carry comes in, or a comparison goes on.
    if "X" in parts[1:] or "EX" in parts[1:]:
        return None
    # Moves under other names.
    if opcode.startswith("IMAD.MOV") or opcode.startswith("HFMA2.MMA") and "-RZ, RZ" in operands:
        return "other"
    return CLASS_OF[parts[0]]


def size(opcode):
    """The words that a load or store moves."""
    bits = [int(part) for part in opcode.split(".")[1:] if part in ("64", "128")]
    return bits[0] // 32 if bits else 1


def work(opcode, operands, kind):
    """What of a loop's work an instruction does."""
    name = opcode.split(".")[0]
    if kind == "float" and name in ("FADD", "FMUL", "FFMA", "DADD", "DMUL", "DFMA", "MUFU"):
        return [("float", 1)]
    if kind in ("load", "store") and name != "LDC":
        return [(kind, size(opcode))]
    if name in ("BAR", "SHFL", "VOTE"):
        return [("barrier", 1)]
    if name in ("ISETP", "FSETP", "UISETP") and kind:
        return [("comparison", 1)]
    return []


def instruction(match, place):
    """The instruction of a line."""
    guard, opcode, operands = match.groups()
    kind = classify(opcode, operands)
    found = Instruction(match.group(0).strip(), kind, work(opcode, operands, kind), place)
    name = opcode.split(".")[0]
    label = re.search(r"`\(([^)]*)\)", operands)
    if name in ("BRA", "JMP") and label:
        found.target = label[1]
        # Another predicate may stand in front of the label.
        found.falls = bool(guard and guard != "@PT") or not operands.strip().startswith("`")
    elif name in ("EXIT", "RET", "BRX"):
        found.falls = bool(guard)
    return found


def finish(listing):
    """Without what fills up the end: an endless jump and NOPs."""
    code = listing.instructions
    while code and code[-1].text.split("*/")[-1].split()[0].startswith("NOP"):
        code.pop()
    last = len(code) - 1
    if code and code[-1].target and listing.labels.get(code[-1].target) == last:
        code.pop()
    spread_signs(code)


def spread_signs(code):
    """A sign that is spread over a word for an upper half belongs to that half."""
    for at, instruction in enumerate(code):
        match = re.search(r"SHF\.R\.S32\.HI (U?R\d+), U?RZ, 0x1f,", instruction.text)
        if match:
            uses = re.compile(rf"[ -]{match[1]}\b")
            reader = next((i for i in code[at + 1 :] if uses.search(i.text.split(",", 1)[-1])), None)
            if reader and reader.kind is None:
                instruction.kind = None


def plain(name):
    """The name of a kernel as our compiler says it."""
    return run(["c++filt", name]).strip().removeprefix("void ").split("(")[0]


def listings(cubin):
    """The kernels of a file, by name."""
    found, current, place = {}, None, ("", 0)
    for line in run([tool("nvdisasm"), "-c", "-g", str(cubin)]).splitlines():
        if line.startswith(".text."):
            name = plain(line[6:].rstrip(":"))
            current = found[name] = Listing(name)
        elif current is None:
            continue
        elif match := PLACE.match(line):
            place = (Path(match[1]).name, int(match[2]))
        elif match := LINE.match(line):
            current.instructions.append(instruction(match, place))
        elif line.endswith(":") and line.startswith("."):
            current.labels[line[:-1]] = len(current.instructions)
    usage = run([tool("cuobjdump"), "--dump-resource-usage", str(cubin)])
    for name, registers in re.findall(r"Function (\S+):\s+REG:(\d+)", usage):
        found[plain(name)].registers = int(registers)
    for listing in found.values():
        finish(listing)
    return found
