"""The loops of a source, as far as its text shows them."""

import re
from dataclasses import dataclass

TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|#[^\n]*|\w+|\s+|.", re.S)
LOOPS = ("for", "while", "do")


@dataclass(frozen=True)
class Loop:
    """A loop statement: its first and last line, whether another one is within, and how it begins."""

    first: int
    last: int
    innermost: bool
    text: str


def tokens(text):
    """The tokens of a source with their offsets, without blanks, comments and directives."""
    for match in TOKEN.finditer(text):
        if not match[0].isspace() and not match[0].startswith(("//", "/*", "#")):
            yield match.start(), match[0]


class Reader:
    """Finds where statements end."""

    def __init__(self, text):
        self.text = text
        self.tokens = list(tokens(text))
        self.loops = []

    def word(self, at):
        return self.tokens[at][1] if at < len(self.tokens) else ""

    def closed(self, at):
        """The place after the bracket that closes the one here."""
        depth = 0
        while at < len(self.tokens):
            depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(self.word(at), 0)
            at += 1
            if depth == 0:
                return at
        return at

    def statement(self, at):
        """The place after the statement here; its loops are noted."""
        word, begin = self.word(at), at
        if word == "{":
            end = self.closed(at)
            at += 1
            while at < end - 1:
                at = self.statement(at)
            return end
        if word in ("if", "switch", "for", "while"):
            at += 2 if self.word(at + 1) == "constexpr" else 1
            at = self.statement(self.closed(at))
            if word == "if" and self.word(at) == "else":
                at = self.statement(at + 1)
        elif word == "do":
            at = self.closed(self.statement(at + 1) + 1) + 1
        else:
            while at < len(self.tokens) and self.word(at) not in (";", "}"):
                at = self.closed(at) if self.word(at) in "([{" else at + 1
            at += self.word(at) == ";"
            at = max(at, begin + 1)
        if word in LOOPS:
            self.loops.append((self.tokens[begin][0], self.tokens[at - 1][0]))
        return at

    def read(self):
        """All loops of the source, as offsets of their first and last tokens."""
        at = 0
        while at < len(self.tokens):
            # A body of a function follows its parameters.
            opens = self.word(at) == "{" and self.word(at - 1) in (")", "const")
            at = self.statement(at) if opens else at + 1
        return self.loops


def loops(text):
    """The loops of a source."""
    found = Reader(text).read()
    line = lambda offset: text.count("\n", 0, offset) + 1
    said = text.splitlines()
    return [
        Loop(
            line(begin),
            line(end),
            not any(begin < other <= end for other, _ in found),
            said[line(begin) - 1].strip(),
        )
        for begin, end in sorted(found)
    ]


def without_unrolling(text):
    """The source with `#pragma unroll 1` before each loop."""
    for begin, _ in sorted(Reader(text).read(), reverse=True):
        text = f'{text[:begin]}_Pragma("unroll 1") {text[begin:]}'
    return text
