"""Finished code of a kernel, of either compiler: its instructions, their classes and its loops."""

from collections import Counter
from dataclasses import dataclass, field

CLASSES = ["integer", "float", "load", "store", "control", "other"]


@dataclass
class Instruction:
    """One instruction."""

    text: str
    # One of CLASSES; None for the upper half of an operation on 64 bits, which counts with the lower one.
    kind: str | None
    # What is counted to see how often a loop is unrolled: (kind of work, amount).
    work: list = field(default_factory=list)
    # The name of the file and the line that it comes from.
    place: tuple = ("", 0)
    # Whether it is one instruction for what the other compiler has a sequence or a function for.
    long: bool = False
    # The label that it may go to, and whether it may fall through.
    target: str | None = None
    falls: bool = True


@dataclass
class Listing:
    """The code of a kernel."""

    name: str
    registers: int = 0
    instructions: list = field(default_factory=list)
    # Where labels stand.
    labels: dict = field(default_factory=dict)

    def classes(self):
        """How many instructions of each class there are."""
        counts = Counter(i.kind for i in self.instructions)
        return [counts[kind] for kind in CLASSES]

    def successors(self, at):
        """The places that control may go to."""
        instruction = self.instructions[at]
        found = [self.labels[instruction.target]] if instruction.target in self.labels else []
        if instruction.falls:
            found.append(at + 1)
        return [place for place in found if place < len(self.instructions)]

    def innermost_loops(self, owner):
        """The natural loops that have no other loop within, as (places, owner).

        `owner` says of a jump back which loop of the source it belongs to: loops of two owners may have one
        header, and several jumps of one owner lead back in one loop.
        """
        dominators = self.dominators()
        loops = {}
        for at in dominators:
            for header in self.successors(at):
                if header in dominators[at]:
                    of = owner(self.instructions[at])
                    loops.setdefault((header, of), {header}).update(self.body(header, at))
        found = []
        for (header, of), places in sorted(loops.items(), key=lambda item: item[0][0]):
            others = [other for key, other in loops.items() if key != (header, of)]
            if not any(other < places for other in others):
                found.append((sorted(places), of))
        return found

    def dominators(self):
        """For each place that control reaches, the places that it passes on every way there."""
        order, stack, seen = [], [(0, iter(self.successors(0)))], {0}
        while stack:
            at, rest = stack[-1]
            following = next((place for place in rest if place not in seen), None)
            if following is None:
                order.append(at)
                stack.pop()
            else:
                seen.add(following)
                stack.append((following, iter(self.successors(following))))
        before = {at: [] for at in order}
        for at in order:
            for following in self.successors(at):
                before[following].append(at)
        found, changed = {at: None for at in order}, True
        found[0] = frozenset([0])
        while changed:
            changed = False
            for at in reversed(order):
                known = [found[place] for place in before[at] if found[place] is not None]
                if at == 0 or not known:
                    continue
                now = frozenset.intersection(*known) | {at}
                changed |= now != found[at]
                found[at] = now
        return found

    def body(self, header, tail):
        """What reaches the jump back without passing the header."""
        before = {}
        for at in range(len(self.instructions)):
            for following in self.successors(at):
                before.setdefault(following, []).append(at)
        found, left = {header}, [tail]
        while left:
            at = left.pop()
            if at not in found:
                found.add(at)
                left.extend(before.get(at, []))
        return found
