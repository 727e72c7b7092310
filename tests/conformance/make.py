#!/usr/bin/env python3
"""Computes what each form of PTX instruction must give, and writes tests/data/ptx/conformance.txt.

    python3 tests/conformance/make.py            writes the file
    python3 tests/conformance/make.py add.s32    prints operands and results of a form

The forms are those of spec/ptx.md. Results are computed with integers and fractions from the meaning that the PTX
document gives; nothing is shared with the compiler or the reference model. tests/tests/ptx_conformance.rs runs the forms.

Vector v of operand k is value number (v * STRIDES[k] + k) mod 17 of the list for its type; a line of the file has the
result of each of the 17 vectors, several results of one vector joined by `/`. After a colon a line states how operands are
written, separated by commas: `-` with a minus, `b1` with that selector, `+` given although it may be left out.
"""

import itertools
import re
import sys
from decimal import Decimal, getcontext
from fractions import Fraction
from math import isqrt
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COUNT = 17
STRIDES = [1, 5, 7, 11, 3]
LANES = (1 << COUNT) - 1
getcontext().prec = 60

VALUES = {
    "pred": [0, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 1],
    "16": [0, 1, 2, 0x7FFF, 0x8000, 0xFFFF, 0x1234, 0xFF80, 31, 0x00FF, 7, 0x5555, 0xFFFE, 16, 0x8001, 3, 100],
    "32": [0, 1, 2, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x12345678, 0xFFFFFF80, 31, 32, 33, 0xAAAA5555, 0x0000FFFF,
           0x00800000, 0x01020304, 0x80000001, 5],
    "64": [0, 1, 2, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0xFFFFFFFFFFFFFFFF, 0x123456789ABCDEF0, 0xFFFFFFFFFFFFFF80,
           31, 64, 0xFFFFFFFF, 0x100000000, 0x01000010, 0x02000010, 0x03000010, 0x10000010, 0x00FF00FF00FF00FF],
    "f16": [0, 0x8000, 0x3C00, 0xBE00, 0x7C00, 0xFC00, 0x7E01, 0x0001, 0x83FF, 0x7BFF, 0x0400, 0x3555, 0xC248, 0x3800,
            0x4900, 0x5BF8, 0xFE00],
    "bf16": [0, 0x8000, 0x3F80, 0xBFC0, 0x7F80, 0xFF80, 0x7FC1, 0x0001, 0x807F, 0x7F7F, 0x0080, 0x3EAB, 0xC049, 0x3F00,
             0x4120, 0x437F, 0xFFC0],
    "f32": [0, 0x80000000, 0x3F800000, 0xBFC00000, 0x7F800000, 0xFF800000, 0x7FC00001, 0x00000001, 0x807FFFFF, 0x7F7FFFFF,
            0x00800000, 0x3EAAAAAB, 0xC0490FDB, 0x3F000000, 0x4F000000, 0x33800000, 0xC1200000],
    "f64": [0, 0x8000000000000000, 0x3FF0000000000000, 0xBFF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000,
            0x7FF8000000000001, 0x0000000000000001, 0x800FFFFFFFFFFFFF, 0x7FEFFFFFFFFFFFFF, 0x0010000000000000,
            0x3FD5555555555555, 0xC00921FB54442D18, 0x3FE0000000000000, 0x41E0000000000000, 0x3810000000000000,
            0x3690000000000000],
}
VALUES["f16x2"] = [a << 16 | b for a, b in zip(VALUES["f16"], VALUES["f16"][5:] + VALUES["f16"][:5])]
VALUES["bf16x2"] = [a << 16 | b for a, b in zip(VALUES["bf16"], VALUES["bf16"][5:] + VALUES["bf16"][:5])]

# Bits of the exponent and of the fraction.
FORMATS = {"f16": (5, 10), "bf16": (8, 7), "f32": (8, 23), "f64": (11, 52)}
# The type of each half of a pair.
PAIRS = {"f16x2": "f16", "bf16x2": "bf16"}
ONES = {"f32": 0x3F800000, "f16": 0x3C00, "bf16": 0x3F80}
TYPE = re.compile(r"^(pred|[busf](8|16|32|64)|b128|bf16|f16x2|bf16x2|[us]16x2)$")


class Skip(Exception):
    """The form has no line."""


def bits_of(ty):
    return {"pred": 1, "bf16": 16, "f16x2": 32, "bf16x2": 32, "u16x2": 32, "s16x2": 32}.get(ty) or int(ty[1:])


def is_float(ty):
    return ty in FORMATS


def list_for(ty):
    if ty in VALUES:
        return ty
    return str(min(max(bits_of(ty), 32 if bits_of(ty) == 8 else 16), 64))


def signed(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def number(value, ty):
    """The integer that bits of a type are."""
    bits = bits_of(ty)
    return signed(value, bits) if ty[0] == "s" else value & ((1 << bits) - 1)


def cut(value, bits):
    return value & ((1 << bits) - 1)


def clamp(value, ty):
    bits = bits_of(ty)
    least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if ty[0] == "s" else (0, (1 << bits) - 1)
    return min(max(value, least), most)


# Floating point: "nan", "inf", "-inf", or (Fraction, sign of a zero).


def unpack(bits, ty):
    exponent_bits, fraction_bits = FORMATS[ty]
    sign = bits >> (exponent_bits + fraction_bits) & 1
    exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1)
    fraction = bits & ((1 << fraction_bits) - 1)
    bias = (1 << exponent_bits - 1) - 1
    if exponent == (1 << exponent_bits) - 1:
        return "nan" if fraction else ("-inf" if sign else "inf")
    if exponent == 0:
        value = Fraction(fraction) * Fraction(2) ** (1 - bias - fraction_bits)
    else:
        value = Fraction(fraction + (1 << fraction_bits)) * Fraction(2) ** (exponent - bias - fraction_bits)
    return (-value if sign else value, sign)


def nan(ty):
    return (1 << sum(FORMATS[ty])) - 1


def infinity(ty, sign):
    exponent_bits, fraction_bits = FORMATS[ty]
    return sign << sum(FORMATS[ty]) | ((1 << exponent_bits) - 1) << fraction_bits


def sign_bit(ty, sign):
    return sign << sum(FORMATS[ty])


def is_subnormal(bits, ty):
    exponent_bits, fraction_bits = FORMATS[ty]
    return bits >> fraction_bits & ((1 << exponent_bits) - 1) == 0 and bits & ((1 << fraction_bits) - 1) != 0


def flush(bits, ty, ftz):
    return sign_bit(ty, bits >> sum(FORMATS[ty]) & 1) if ftz and is_subnormal(bits, ty) else bits


def floor_log2(value):
    n, d = value.numerator, value.denominator
    guess = n.bit_length() - d.bit_length()
    while Fraction(2) ** guess > value:
        guess -= 1
    while Fraction(2) ** (guess + 1) <= value:
        guess += 1
    return guess


def round_whole(value, mode):
    """A fraction as an integer."""
    low = value.numerator // value.denominator
    rest = value - low
    if rest == 0 or mode == "m":
        return low
    if mode == "p":
        return low + 1
    if mode == "z":
        return low if value > 0 else low + 1
    if rest > Fraction(1, 2) or rest == Fraction(1, 2) and low & 1:
        return low + 1
    return low


def pack(value, ty, mode="n", zero_sign=0, sat=False, ftz=False):
    """The bits of an unpacked value, rounded once."""
    exponent_bits, fraction_bits = FORMATS[ty]
    bias = (1 << exponent_bits - 1) - 1
    if value == "nan":
        return 0 if sat else nan(ty)
    if value in ("inf", "-inf"):
        if sat:
            return pack(Fraction(1 if value == "inf" else 0), ty)
        return infinity(ty, int(value == "-inf"))
    if isinstance(value, tuple):
        value, zero_sign = value
    if sat:
        value = min(max(value, Fraction(0)), Fraction(1))
        zero_sign = 0
    if value == 0:
        return sign_bit(ty, zero_sign)
    sign = int(value < 0)
    exponent = max(floor_log2(abs(value)), 1 - bias)
    ulp = Fraction(2) ** (exponent - fraction_bits)
    whole = abs(round_whole(value / ulp, mode))
    # A carry into the next exponent falls out of the sum.
    packed = (exponent + bias - 1 << fraction_bits) + whole
    if packed >= infinity(ty, 0):
        away = mode == "n" or mode == "p" and not sign or mode == "m" and sign
        packed = infinity(ty, 0) if away else infinity(ty, 0) - 1
    return flush(packed | sign_bit(ty, sign), ty, ftz)


def arithmetic(name, operands, ty, mode, ftz, sat):
    """Sum, difference, product, quotient, fused sum, root."""
    values = [unpack(flush(bits, ty, ftz), ty) for bits in operands]
    if "nan" in values:
        return pack("nan", ty, sat=sat)

    def negative(value):
        if isinstance(value, str):
            return "inf" if value == "-inf" else "-inf"
        return (-value[0], 1 - value[1])

    def sum_of(a, b):
        if isinstance(a, str) or isinstance(b, str):
            infinite = {it for it in (a, b) if isinstance(it, str)}
            return infinite.pop() if len(infinite) == 1 else "nan"
        total = a[0] + b[0]
        same = a[0] == 0 and b[0] == 0 and a[1] == b[1]
        return (total, a[1] if same else int(mode == "m"))

    def sign_of(value):
        return int(value == "-inf") if isinstance(value, str) else value[1]

    def product_of(a, b):
        sign = sign_of(a) ^ sign_of(b)
        if isinstance(a, str) or isinstance(b, str):
            if any(not isinstance(it, str) and it[0] == 0 for it in (a, b)):
                return "nan"
            return "-inf" if sign else "inf"
        return (a[0] * b[0], sign)

    def quotient_of(a, b):
        sign = sign_of(a) ^ sign_of(b)
        if isinstance(a, str):
            return "nan" if isinstance(b, str) else ("-inf" if sign else "inf")
        if isinstance(b, str):
            return (Fraction(0), sign)
        if b[0] == 0:
            return "nan" if a[0] == 0 else ("-inf" if sign else "inf")
        return (a[0] / b[0], sign)

    if name == "add":
        result = sum_of(*values)
    elif name == "sub":
        result = sum_of(values[0], negative(values[1]))
    elif name == "mul":
        result = product_of(*values)
    elif name in ("fma", "mad"):
        product = product_of(values[0], values[1])
        result = "nan" if product == "nan" else sum_of(product, values[2])
    elif name == "div":
        result = quotient_of(*values)
    elif name == "rcp":
        result = quotient_of((Fraction(1), 0), values[0])
    elif name == "sqrt":
        return root(values[0], ty, mode, ftz)
    return pack(result, ty, mode, sat=sat, ftz=ftz)


def root(value, ty, mode, ftz):
    if value == "inf" or not isinstance(value, str) and value[0] == 0:
        return pack(value, ty)
    if value == "-inf" or value[0] < 0:
        return nan(ty)
    # More bits than any format has, and a last one that says that there is a rest.
    shift = 1200
    scaled = value[0] * Fraction(4) ** shift
    whole = isqrt(scaled.numerator // scaled.denominator)
    exact = Fraction(whole * whole) == scaled
    found = Fraction(2 * whole + (0 if exact else 1), 2) / Fraction(2) ** shift
    return pack(found, ty, mode, ftz=ftz)


def decimal(value):
    return Decimal(value.numerator) / Decimal(value.denominator)


def sine(value):
    """Sine and cosine of a fraction, to 50 digits."""
    getcontext().prec = 120
    x = decimal(value)
    pi = pi_of()
    x = x - (x / (2 * pi)).to_integral_value() * 2 * pi
    terms = []
    for first in (1, 0):
        term = x if first else Decimal(1)
        total, n = Decimal(0), first
        while abs(term) > Decimal(10) ** -100:
            total += term
            term = -term * x * x / ((n + 1) * (n + 2))
            n += 2
        terms.append(Fraction(total))
    getcontext().prec = 60
    return terms


def pi_of():
    """Machin's formula."""
    def arctan(n):
        x = Decimal(1) / n
        total, term, k = Decimal(0), x, 1
        while abs(term) > Decimal(10) ** -118:
            total += term / k
            term, k = -term / (n * n), k + 2
        return total
    return 4 * (4 * arctan(5) - arctan(239))


def tensor(mode, bits):
    """A single with 11 significant bits."""
    value = unpack(bits, "f32")
    if isinstance(value, str):
        return pack(value, "f32") if value != "nan" else nan("f32")
    magnitude, place = abs(value[0]), Fraction(2) ** (-126 - 10)
    while magnitude >= place * 2048:
        place *= 2
    whole, rest = divmod(magnitude, place)
    up = {"rna": rest * 2 >= place, "rz": False, "rn": rest * 2 > place or rest * 2 == place and whole % 2 == 1}[mode]
    rounded = (whole + int(up)) * place
    found = pack((rounded, 0), "f32")
    return found | value[1] << 31


def limited_tensor(words, bits):
    """The same, without infinities by `.satfinite` and without negative numbers by `.relu`."""
    found = tensor(words[0], bits)
    if "satfinite" in words and found & 0x7FFFFFFF == 0x7F800000:
        found -= 1 << 13
    return relu(found, "f32") if "relu" in words else found


def eighth_value(bits, ty):
    """The value of a float of eight bits, unpacked."""
    fraction_bits, bias = (3, 7) if ty == "e4m3" else (2, 15)
    sign, magnitude = bits >> 7, bits & 0x7F
    if magnitude == 0x7F or ty == "e5m2" and magnitude > 0x7C:
        return "nan"
    if ty == "e5m2" and magnitude == 0x7C:
        return "-inf" if sign else "inf"
    exponent, fraction = magnitude >> fraction_bits, magnitude & ((1 << fraction_bits) - 1)
    significand = fraction + ((1 << fraction_bits) if exponent else 0)
    value = Fraction(significand) * Fraction(2) ** (max(exponent, 1) - bias - fraction_bits)
    return (-value if sign else value, sign)


def eighth(bits, of, ty, has_relu):
    """The bits of the finite float of eight bits that is nearest, of two the even one."""
    value = unpack(bits, of)
    if value == "nan":
        return 0x7F
    sign = bits >> sum(FORMATS[of]) & 1
    if has_relu and sign:
        return 0
    magnitude = Fraction(1 << 20) if isinstance(value, str) else abs(value[0])
    finite = {code: eighth_value(code, ty) for code in range(0x7F)}
    finite = {code: value[0] for code, value in finite.items() if not isinstance(value, str)}
    return sign << 7 | min(finite, key=lambda code: (abs(finite[code] - magnitude), code % 2))


def eighths(words, o):
    """Pairs of floats of eight bits, from floats or halves, or as halves."""
    ty = next(word for word in words if word in ("e4m3x2", "e5m2x2"))[:4]
    has_relu = "relu" in words
    if words[-1][:4] == ty:
        high, low = (pack(eighth_value(o[0] >> by & 0xFF, ty), "f16", zero_sign=o[0] >> by + 7 & 1) for by in (8, 0))
        high, low = (relu(half, "f16") if has_relu else half for half in (high, low))
        return high << 16 | low
    if words[-1] == "f32":
        return eighth(o[0], "f32", ty, has_relu) << 8 | eighth(o[1], "f32", ty, has_relu)
    return eighth(o[0] >> 16, "f16", ty, has_relu) << 8 | eighth(o[0] & 0xFFFF, "f16", ty, has_relu)


def approximate(name, bits, ty, ftz):
    """Functions whose results may differ by a bound, here by units in the last place."""
    value = unpack(flush(bits, ty, ftz), ty)
    if value == "nan":
        return nan(ty)
    if name in ("sin", "cos"):
        if isinstance(value, str):
            return nan(ty)
        if value[0] == 0 and name == "sin":
            return pack(value, ty)
        return pack(sine(value[0])[int(name == "cos")], ty, ftz=ftz)
    if name == "lg2":
        if value == "inf":
            return infinity(ty, 0)
        if value == "-inf" or value[0] < 0:
            return nan(ty)
        if value[0] == 0:
            return infinity(ty, 1)
        return pack(Fraction(decimal(value[0]).ln() / Decimal(2).ln()), ty, ftz=ftz)
    if name == "ex2":
        if isinstance(value, str):
            return infinity(ty, 0) if value == "inf" else 0
        if abs(value[0]) > 5000:
            return infinity(ty, 0) if value[0] > 0 else 0
        return pack(Fraction((decimal(value[0]) * Decimal(2).ln()).exp()), ty, ftz=ftz)
    if name == "tanh":
        if isinstance(value, str) or abs(value[0]) > 100:
            negative = value == "-inf" or not isinstance(value, str) and value[0] < 0
            return pack(Fraction(-1 if negative else 1), ty)
        if value[0] == 0:
            return pack(value, ty)
        power = (2 * decimal(value[0])).exp()
        return pack(Fraction((power - 1) / (power + 1)), ty, ftz=ftz)
    if name == "rsqrt":
        if value == "inf":
            return 0
        if value == "-inf" or value[0] < 0:
            return nan(ty)
        if value[0] == 0:
            return infinity(ty, value[1])
        return pack(1 / Fraction(decimal(value[0]).sqrt()), ty, ftz=ftz)
    raise Skip


def extreme(name, a, b, ty, ftz=False, keeps_nan=False):
    a, b = flush(a, ty, ftz), flush(b, ty, ftz)
    x, y = unpack(a, ty), unpack(b, ty)
    if x == "nan" or y == "nan":
        if keeps_nan or x == y:
            return nan(ty)
        return b if x == "nan" else a

    def key(value):
        if isinstance(value, str):
            return (-1 if value == "-inf" else 1, 0, 0)
        return (0, value[0], 1 - value[1])

    first = key(x) <= key(y)
    return a if first == (name == "min") else b


def compared(operator, a, b, ty):
    if is_float(ty):
        x, y = unpack(a, ty), unpack(b, ty)
        unordered = x == "nan" or y == "nan"
        if operator == "num":
            return not unordered
        if operator == "nan":
            return unordered
        if unordered:
            return operator.endswith("u") and len(operator) == 3

        def key(value):
            return (-1 if value == "-inf" else 1, 0) if isinstance(value, str) else (0, value[0])

        x, y = key(x), key(y)
        operator = operator[:2]
    else:
        # `.lo` and its like compare as unsigned.
        plain = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}
        kind = "u" + ty[1:] if operator in plain else ty
        x, y = number(a, kind), number(b, kind)
        operator = plain.get(operator, operator)
    return {"eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}[operator]


def joined(words, first, second):
    for word in ("and", "or", "xor"):
        if word in words:
            return {"and": first and second, "or": first or second, "xor": first != second}[word]
    return first


def integer(name, words, ty, o):
    """Integer arithmetic of PTX."""
    bits = bits_of(ty)
    n = [number(value, ty) for value in o]
    if name in ("add", "sub") and "cc" not in words:
        result = n[0] + n[1] if name == "add" else n[0] - n[1]
        return clamp(result, ty) if "sat" in words else result
    if name in ("add", "sub"):
        return n[0] + n[1] if name == "add" else n[0] - n[1]
    # No instruction has set the carry.
    if name == "addc":
        return n[0] + n[1]
    if name == "subc":
        return n[0] - n[1]
    if name in ("mul", "mad", "madc"):
        product = n[0] * n[1]
        if "wide" in words:
            return product + (o[2] if name == "mad" else 0)
        half = product >> bits if "hi" in words else product
        half = number(half, ty)
        if name != "mul":
            half += n[2]
        return clamp(half, ty) if "sat" in words else half
    if name in ("mul24", "mad24"):
        a, b = ((signed(v, 24) if ty[0] == "s" else v & 0xFFFFFF) for v in o[:2])
        half = a * b >> 16 if "hi" in words else a * b
        half = number(half, ty)
        if name == "mad24":
            half += n[2]
        return clamp(half, ty) if "sat" in words else half
    if name == "sad":
        return abs(n[0] - n[1]) + o[2]
    if name in ("div", "rem"):
        if n[1] == 0:
            return -1 if name == "div" else n[0]
        quotient = abs(n[0]) // abs(n[1])
        quotient = -quotient if (n[0] < 0) != (n[1] < 0) else quotient
        return quotient if name == "div" else n[0] - quotient * n[1]
    if name == "abs":
        return abs(n[0])
    if name == "neg":
        return -n[0]
    if name in ("min", "max"):
        return min(n) if name == "min" else max(n)
    raise Skip


def bit_work(name, words, ty, o):
    bits = bits_of(ty)
    a = cut(o[0], bits)
    if name == "popc":
        return bin(a).count("1")
    if name == "clz":
        return bits - a.bit_length()
    if name == "bfind":
        value = a if ty[0] != "s" or not a >> (bits - 1) else cut(~a, bits)
        if value == 0:
            return 0xFFFFFFFF
        place = value.bit_length() - 1
        return bits - 1 - place if "shiftamt" in words else place
    if name == "brev":
        return int(format(a, f"0{bits}b")[::-1], 2)
    if name == "bfe":
        pos, length = o[1] & 0xFF, o[2] & 0xFF
        if ty[0] == "u" or length == 0:
            sign = 0
        else:
            sign = a >> min(pos + length - 1, bits - 1) & 1
        result = 0
        for i in range(bits):
            inside = i < length and pos + i < bits
            result |= (a >> (pos + i) & 1 if inside else sign) << i
        return result
    if name == "bfi":
        pos, length = o[2] & 0xFF, o[3] & 0xFF
        result = cut(o[1], bits)
        for i in range(length):
            if pos + i < bits:
                result = result & ~(1 << pos + i) | (a >> i & 1 if i < bits else 0) << pos + i
        return result
    if name == "fns":
        mask, base, n = o[0], o[1], signed(o[2], 32)
        if n == 0:
            return base if base < 32 and mask >> base & 1 else 0xFFFFFFFF
        place, left, step = base, abs(n) - 1, 1 if n > 0 else -1
        while 0 <= place < 32:
            if mask >> place & 1:
                if left == 0:
                    return place
                left -= 1
            place += step
        return 0xFFFFFFFF
    if name == "szext":
        count = o[1] & 31 if "wrap" in words else min(o[1], 32)
        if count == 0:
            return 0
        low = cut(a, count)
        return low if ty[0] == "u" else signed(low, count)
    if name == "bmsk":
        place, count = o[0], o[1]
        if "wrap" in words:
            place, count = place & 31, count & 31
        else:
            place, count = min(place, 32), min(count, 32)
        return cut(((1 << count) - 1) << place, 32)
    if name == "dp4a":
        kinds = [word for word in words if TYPE.match(word)]
        total = o[2]
        for i in range(4):
            x, y = (number(v >> 8 * i & 0xFF, k[0] + "8") for v, k in zip(o, kinds))
            total += x * y
        return total
    if name == "dp2a":
        kinds = [word for word in words if TYPE.match(word)]
        total, shift = o[2], 16 if "hi" in words else 0
        for i in range(2):
            x = number(o[0] >> 16 * i & 0xFFFF, kinds[0][0] + "16")
            total += x * number(o[1] >> shift + 8 * i & 0xFF, kinds[1][0] + "8")
        return total
    if name in ("and", "or", "xor"):
        return {"and": o[0] & o[1], "or": o[0] | o[1], "xor": o[0] ^ o[1]}[name]
    if name == "not":
        return ~o[0]
    if name == "cnot":
        return int(a == 0)
    if name == "lop3":
        result = 0
        for i in range(32):
            index = (o[0] >> i & 1) << 2 | (o[1] >> i & 1) << 1 | o[2] >> i & 1
            result |= (0x96 >> index & 1) << i
        return result
    if name == "shf":
        count = o[2] & 31 if "wrap" in words else min(o[2], 32)
        pair = o[1] << 32 | o[0]
        return pair << count >> 32 if "l" in words else pair >> count
    if name == "shl":
        return o[0] << o[1] if o[1] < bits else 0
    if name == "shr":
        return number(o[0], ty) >> min(o[1], bits)
    if name == "prmt":
        pool = [o[0] >> 8 * i & 0xFF for i in range(4)] + [o[1] >> 8 * i & 0xFF for i in range(4)]
        c = o[2] & 3
        modes = {
            "f4e": [[0, 1, 2, 3], [1, 2, 3, 4], [2, 3, 4, 5], [3, 4, 5, 6]],
            "b4e": [[0, 7, 6, 5], [1, 0, 7, 6], [2, 1, 0, 7], [3, 2, 1, 0]],
            "rc8": [[0] * 4, [1] * 4, [2] * 4, [3] * 4],
            "ecl": [[0, 1, 2, 3], [1, 1, 2, 3], [2, 2, 2, 3], [3, 3, 3, 3]],
            "ecr": [[0, 0, 0, 0], [0, 1, 1, 1], [0, 1, 2, 2], [0, 1, 2, 3]],
            "rc16": [[0, 1, 0, 1], [2, 3, 2, 3], [0, 1, 0, 1], [2, 3, 2, 3]],
        }
        for mode, table in modes.items():
            if mode in words:
                return sum(pool[at] << 8 * i for i, at in enumerate(table[c]))
        result = 0
        for i in range(4):
            digit = o[2] >> 4 * i & 0xF
            byte = pool[digit & 7]
            if digit & 8:
                byte = 0xFF if byte & 0x80 else 0
            result |= byte << 8 * i
        return result
    raise Skip


def relu(bits, ty):
    """Negative numbers and -0 become 0; a NaN stays."""
    return 0 if bits >> sum(FORMATS[ty]) & 1 and unpack(bits, ty) != "nan" else bits


def halves(function, *operands):
    """A function of halves, for both halves of words."""
    low, high = (function(*(operand >> by & 0xFFFF for operand in operands)) for by in (0, 16))
    return low | high << 16


def packed(words, o):
    """`cvt.pack`: two limited values, and above them the low bits of the third operand."""
    to = words[2]
    bits = int(to[1:])
    least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if to[0] == "s" else (0, (1 << bits) - 1)
    upper, lower = (cut(min(max(signed(value, 32), least), most), bits) for value in o[:2])
    rest = o[2] << 2 * bits if len(o) > 2 else 0
    return rest | upper << bits | lower


def selected(value, selector, kind):
    """The byte, half or word that a selector names."""
    if not selector:
        return number(value, kind + "32")
    bits = 8 if selector[0] == "b" else 16
    return number(value >> bits * int(selector[1]), kind + str(bits))


def primary(name, words, x, y):
    """The operation of a video instruction on exact numbers."""
    if name == "vset":
        return int({"eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}[words[-1]])
    if name in ("vshl", "vshr"):
        count = y % 32 if "wrap" in words else min(y, 32)
        return x * 2 ** count if name == "vshl" else x // 2 ** count
    if name == "vavrg":
        total = x + y
        return (total + 1) // 2 if total >= 0 else total // 2
    return {"vadd": x + y, "vsub": x - y, "vabsdiff": abs(x - y), "vmin": min(x, y), "vmax": max(x, y)}[name]


def video(name, words, o, marks):
    """A video instruction on a byte, half or word of each operand. `marks` has the selectors of d, a and b, with minus signs."""
    kinds = [word[0] for word in words if TYPE.match(word)]
    kinds = (["u"] if name == "vset" else []) + kinds
    selectors = [mark.strip("+-") for mark in marks]
    x, y = (selected(o[i], selectors[i + 1], kinds[i + 1]) for i in (0, 1))
    if name == "vmad":
        minus, minus_c = marks[1].startswith("-") != marks[2].startswith("-"), marks[3].startswith("-")
        kind = "s" if "s" in kinds[1:] or minus or minus_c else "u"
        c = number(o[2], kind + "32")
        total = (-1 if minus else 1) * x * y + (-c if minus_c else c) + int("po" in words)
        total //= 2 ** next((int(word[3:]) for word in words if word.startswith("shr")), 0)
        return clamp(total, kind + "32") if "sat" in words else total
    result = primary(name, [word for word in words if word not in ("add", "min", "max")], x, y)
    place = selectors[0]
    bits = 32 if not place else 8 if place[0] == "b" else 16
    if "sat" in words:
        result = clamp(result, kinds[0] + str(bits))
    for second, function in (("add", lambda a, b: a + b), ("min", min), ("max", max)):
        if second in words:
            return function(result, number(o[2], kinds[0] + "32"))
    if place:
        shift = bits * int(place[1])
        return o[2] & ~((1 << bits) - 1 << shift) | cut(result, bits) << shift
    return result


def video_parts(name, words, o, marks):
    """A video instruction on halves or bytes of both operands at once."""
    count = int(name[-1])
    bits = 32 // count
    kinds = [word[0] for word in words if TYPE.match(word)]
    kinds = (["u"] if name.startswith("vset") else []) + kinds
    usual = ["".join(str(i) for i in reversed(range(first, first + count))) for first in (0, 0, count)]
    digits = [[int(digit) for digit in reversed(mark[1:] or default)] for mark, default in zip(marks, usual)]
    pool = o[1] << 32 | o[0]
    result = o[2]
    for i in range(count):
        if i not in digits[0]:
            continue
        x, y = (number(pool >> bits * digits[k][i], kinds[k] + str(bits)) for k in (1, 2))
        value = primary(name[:-1], [word for word in words if word != "add"], x, y)
        if "sat" in words:
            value = clamp(value, kinds[0] + str(bits))
        if "add" in words:
            result += value
        else:
            result = result & ~((1 << bits) - 1 << bits * i) | cut(value, bits) << bits * i
    return result


def converted(words, to, of, value):
    mode = next((word for word in words if re.match(r"^r[nzmp]i?$", word)), None)
    sat, ftz = "sat" in words, "ftz" in words
    if is_float(of):
        value = flush(value, of, ftz and of == "f32")
        unpacked = unpack(value, of)
        if not is_float(to):
            bits = bits_of(to)
            if unpacked == "nan":
                # As spec/ptx.md says.
                return 0 if of != "f64" and bits <= 32 else 1 << bits - 1
            if isinstance(unpacked, str):
                return clamp((1 if unpacked == "inf" else -1) << 200, to)
            return clamp(round_whole(unpacked[0], mode[1]), to)
        if mode and mode.endswith("i"):
            if not isinstance(unpacked, str):
                whole = Fraction(round_whole(unpacked[0], mode[1]))
                unpacked = (whole, unpacked[1])
            return pack(unpacked, to, sat=sat, ftz=ftz)
        if to == of and not sat:
            # A copy, with the bits of a NaN.
            return value
        return pack(unpacked, to, mode[1] if mode else "n", sat=sat, ftz=ftz and to == "f32")
    exact = number(value, of)
    if is_float(to):
        return pack(Fraction(exact), to, mode[1], sat=sat)
    return clamp(exact, to) if sat else exact


def space_of(words):
    return next((w for w in words if w in ("global", "shared", "shared::cta", "local", "const", "param")), "generic")


def area(v):
    """The 32 bytes that a thread's address points to at first."""
    words = [VALUES["64"][(v * STRIDES[i] + i) % COUNT] for i in range(4)]
    return b"".join(word.to_bytes(8, "little") for word in words)


def atomic(words, ty, old, o):
    if ty in PAIRS:
        return halves(lambda a, b: arithmetic("add", [a, b], PAIRS[ty], "n", False, False), old, o[0])
    if is_float(ty):
        return arithmetic("add", [old, o[0]], ty, "n", False, False)
    if "inc" in words:
        return 0 if old >= o[0] else old + 1
    if "dec" in words:
        return o[0] if old == 0 or old > o[0] else old - 1
    if "exch" in words:
        return o[0]
    if "cas" in words:
        return o[1] if old == o[0] else old
    if "add" in words:
        return old + o[0]
    if "min" in words or "max" in words:
        pick = min if "min" in words else max
        return pick(number(old, ty), number(o[0], ty))
    return {"and": old & o[0], "or": old | o[0], "xor": old ^ o[0]}[next(w for w in words if w in ("and", "or", "xor"))]


def shuffled(words, v, o):
    kind = next(word for word in words if word in ("up", "down", "bfly", "idx"))
    distance, limit, segment = o[1][v] & 31, o[2][v] & 31, o[2][v] >> 8 & 31
    first = v & segment
    last = first | limit & ~segment & 31
    place = {"up": v - distance, "down": v + distance, "bfly": v ^ distance, "idx": first | distance & ~segment & 31}[kind]
    inside = place >= last if kind == "up" else place <= last
    if not inside:
        return [o[0][v], 0]
    # From a lane that does not act comes 0.
    return [o[0][place] if place < COUNT else 0, 1]


def together(name, words, ty, o):
    """Results of all lanes: a list of one or two for each."""
    every = range(COUNT)
    if name == "activemask":
        return [[LANES]] * COUNT
    if name == "shfl":
        return [shuffled(words, v, o) for v in every]
    if name in ("vote", "bar", "barrier"):
        holds = o[-2] if name == "vote" and "sync" in words else o[-1] if name != "vote" else o[0]
        if name != "vote" and "red" not in words:
            return [[]] * COUNT
        mask = sum(holds[v] << v for v in every)
        result = {
            "all": int(mask == LANES), "any": int(mask != 0), "uni": int(mask in (0, LANES)), "ballot": mask,
            "popc": bin(mask).count("1"), "and": int(mask == LANES), "or": int(mask != 0),
        }[next(w for w in words if w in ("all", "any", "uni", "ballot", "popc", "and", "or"))]
        return [[result]] * COUNT
    if name == "match":
        if "any" in words:
            return [[sum(1 << w for w in every if o[0][w] == o[0][v])] for v in every]
        same = len(set(o[0])) == 1
        return [[LANES if same else 0, int(same)]] * COUNT
    if name == "redux":
        values = [number(value, ty) for value in o[0]]
        total = values[0]
        for value in values[1:]:
            if "add" in words:
                total += value
            elif "min" in words or "max" in words:
                total = (min if "min" in words else max)(total, value)
            else:
                total = {"and": total & value, "or": total | value, "xor": total ^ value}[
                    next(w for w in words if w in ("and", "or", "xor"))]
        return [[cut(total, 32)]] * COUNT
    raise Skip


def computed(name, words, types, o, marks):
    """One or two results of a form that computes; the first is not cut yet."""
    if is_video(name):
        return [(video_parts if name[-1].isdigit() else video)(name, words, o, marks)]
    ty = types[0] if types else None
    ftz, sat = "ftz" in words, "sat" in words
    mode = next((word[1] for word in words if re.match(r"^r[nzmp]$", word)), "n")
    if name in ("setp", "set"):
        of = types[-1]
        operator = words[0]
        if of in PAIRS:
            found = []
            for by in (0, 16):
                a, b = (flush(x >> by & 0xFFFF, PAIRS[of], ftz) for x in o[:2])
                found.append(int(joined(words[1:], compared(operator, a, b, PAIRS[of]), len(o) > 2 and o[2] != 0)))
            if name == "setp":
                return found
            yes = ONES[PAIRS[ty]] if ty in PAIRS else 0xFFFF
            return [found[0] * yes | found[1] * yes << 16]
        a, b = (flush(x, of, ftz and of != "f64") if is_float(of) else x for x in o[:2])
        holds = compared(operator, a, b, of)
        extra = o[2] != 0 if len(o) > 2 else False
        first = joined(words[1:], holds, extra)
        if name == "setp":
            return [int(first), int(joined(words[1:], not holds, extra))]
        return [ONES.get(ty, 0xFFFFFFFF) if first else 0]
    if name == "selp":
        return [o[0] if o[2] else o[1]]
    if name == "slct":
        if types[1] == "s32":
            return [o[0] if signed(o[2], 32) >= 0 else o[1]]
        value = unpack(flush(o[2], "f32", ftz), "f32")
        holds = value == "inf" or not isinstance(value, str) and value[0] >= 0
        return [o[0] if holds else o[1]]
    if name == "cvt" and "tf32" in words:
        return [limited_tensor(words, o[0])]
    if name == "cvt" and any(word in ("e4m3x2", "e5m2x2") for word in words):
        return [eighths(words, o)]
    if name == "cvt" and words[0] == "pack":
        return [packed(words, o)]
    if name == "cvt" and ty in PAIRS:
        upper, lower = computed(name, words, [PAIRS[ty]] + types[1:], o[:1], marks), computed(
            name, words, [PAIRS[ty]] + types[1:], o[1:], marks)
        return [upper[0] << 16 | lower[0]]
    if name == "cvt" and "relu" in words:
        return [relu(converted(words, types[0], types[1], o[0]), ty)]
    if name == "cvt":
        return [converted(words, types[0], types[1], o[0])]
    if ty == "b128":
        return halves_of(o[0])
    if name in ("mov", "cvta"):
        return [o[0]]
    if name == "isspacep":
        window = {"shared": 1, "shared::cta": 1, "local": 2, "const": 3}
        place = o[0] >> 24
        space = space_of(words)
        if o[0] >> 32:
            return [0]
        return [int(place == window[space] if space in window else 0x10 <= place < 0x80)]
    if name == "testp":
        value = unpack(o[0], ty)
        kind = words[0]
        finite = not isinstance(value, str)
        subnormal = is_subnormal(o[0], ty)
        return [int({
            "finite": finite, "infinite": value in ("inf", "-inf"), "number": value != "nan", "notanumber": value == "nan",
            "normal": finite and value[0] != 0 and not subnormal, "subnormal": subnormal,
        }[kind])]
    if name == "copysign":
        sign = 1 << bits_of(ty) - 1
        return [o[0] & sign | o[1] & ~sign]
    if ty in PAIRS:
        return [halves(lambda *each: computed(name, words, [PAIRS[ty]], each, marks)[0], *o)]
    if ty in FORMATS:
        if name in ("abs", "neg"):
            sign = 1 << bits_of(ty) - 1
            flushed = flush(o[0], ty, ftz)
            return [flushed & ~sign if name == "abs" else flushed ^ sign]
        if name in ("min", "max"):
            return [extreme(name, o[0], o[1], ty, ftz, "NaN" in words)]
        if name == "rcp" and ty == "f64" and "approx" in words:
            exact = arithmetic("rcp", [flush(o[0], ty, True)], ty, "n", False, False)
            return [flush(exact, ty, True) >> 32 << 32]
        if name in ("add", "sub", "mul", "fma", "mad", "div", "rcp", "sqrt"):
            found = arithmetic(name, o, ty, mode, ftz, sat)
            return [relu(found, ty) if "relu" in words else found]
        found = approximate(name, o[0], ty, ftz)
        return [found >> 32 << 32 if name == "rsqrt" and ty == "f64" and ftz else found]
    if name == "lop3" and len(o) > 3:
        first = bit_work(name, words, ty, o)
        holds, extra = first != 0, o[3] != 0
        return [first, int(holds or extra if "or" in words else holds and extra)]
    try:
        return [integer(name, words, ty, o)]
    except Skip:
        return [bit_work(name, words, ty, o)]


# Units in the last place by which results may differ.
BOUNDS = {"sin": 2, "cos": 2, "lg2": 2, "ex2": 2, "tanh": 2, "rsqrt": 2}


def bound_of(mnemonic, types):
    """Functions of half precision may differ by a unit from the exact value rounded once."""
    is_half = types and (types[0] in PAIRS or bits_of(types[0]) == 16)
    return 1 if is_half and mnemonic in BOUNDS else BOUNDS.get(mnemonic, 0)


def is_video(mnemonic):
    return mnemonic[0] == "v" and mnemonic != "vote"


def markings(mnemonic, words, operands, number):
    """Markings of the operands of sample `number` of a row, beside the plain one."""
    if not is_video(mnemonic):
        return [["+" if text.endswith("?") else "" for text in operands]] if any(t.endswith("?") for t in operands) else []
    pick = lambda choices, step: choices[number * step % len(choices)]
    if mnemonic[-1] == "2":
        return [[pick(["h1", "h0", "h10"], 1), pick(["h10", "h23", "h31", "h02"], 1), pick(["h32", "h01", "h13"], 1), ""]]
    if mnemonic[-1] == "4":
        masks = ["b0", "b31", "b3210", "b210", "b32", "b2"]
        return [[pick(masks, 1), pick(["b3210", "b7654", "b0246", "b5173"], 1), pick(["b7654", "b1302", "b6666"], 1), ""]]
    parts = ["b0", "h1", "b3", "", "b1", "h0", "b2"]
    found = [["", pick(parts, 1), pick(parts, 3), ""]]
    if mnemonic == "vmad":
        if "po" not in words:
            found += [["", "-", "", ""], ["", "", "-h1", ""], ["", "-b2", "-", ""], ["", "", "b1", "-"]]
    elif operands[-1].endswith("?"):
        found.append([pick(["b0", "h1", "b3", "b1", "h0", "b2"], 1), pick(parts, 2), pick(parts, 5), "+"])
    return [marks for marks in found if any(marks)]


def tables():
    text = (ROOT / "spec/ptx.md").read_text()
    rows, classes = [], {}
    for line in text.splitlines():
        cells = [cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 3 and cells[0].startswith("`"):
            rows.append((cells[0].strip("`"), re.findall(r"`([^`]*)`", cells[1])))
        elif len(cells) == 2 and cells[0].startswith("`<"):
            classes[cells[0].strip("`<>")] = [word[1:] for word in re.findall(r"`([^`]*)`", cells[1])]
    return rows, classes


def parts(pattern, classes):
    """The words of each part of a pattern, and whether it may be left out."""
    found = []
    for optional, several, group, word in re.findall(r"\[([^]]*)\]|\.\(([^)]*)\)|\.<([^>]*)>|\.([^.\[]+)", pattern):
        text = optional or several or (f"<{group}>" if group else word)
        words = []
        for one in text.split("|"):
            words += classes[one[1:-1]] if one.startswith("<") else [one]
        found.append((words, bool(optional)))
    return found


def samples(pattern, classes):
    all_parts = parts(pattern, classes)
    required = [[(at, word) for word in words] for at, (words, optional) in enumerate(all_parts) if not optional]
    chosen = [list(choice) for choice in itertools.product(*required)]
    yield from ([word for _, word in choice] for choice in chosen)
    for at, (words, optional) in enumerate(all_parts):
        if optional:
            for word in words:
                yield [word for _, word in sorted(chosen[0] + [(at, word)])]
    optional = [(at, words[0]) for at, (words, optional) in enumerate(all_parts) if optional]
    if len(optional) in (2, 3):
        yield [word for _, word in sorted(chosen[0] + optional)]


def operand_type(text, types):
    """The type of an operand as the table has it, and whether it is written."""
    written = text.startswith(">")
    name, _, ty = text.lstrip(">!-").partition(":")
    ty = re.sub("~[24]?", "", ty.lstrip("v").rstrip("?")).rstrip("+")
    ty = {"T": types[0] if types else None, "S": types[1] if len(types) > 1 else None, "M": types[0] if types else None}.get(ty, ty)
    if ty == "2T":
        ty = types[0][0] + str(2 * bits_of(types[0]))
    return name, ty, written


def operand_values(mnemonic, k, ty):
    values = VALUES[list_for(ty)]
    if mnemonic == "match":
        return [values[v // 4] for v in range(COUNT)]
    return [values[(v * STRIDES[k % 5] + k) % COUNT] for v in range(COUNT)]


def line(mnemonic, words, operands, marks, explain=False):
    """The line of a form; `marks` states how its operands are written."""
    types = [word for word in words if TYPE.match(word)]
    described = [operand_type(text, types) + (text.endswith("?") and mark != "+",)
                 for text, mark in zip(operands, marks) if not text.startswith(("[", "#"))]
    written = [(name, ty) for name, ty, is_written, _ in described if is_written]
    address = any(text.startswith("[") for text in operands)
    lanes = 4 if "v4" in words else 2 if "v2" in words else 1
    inputs = []
    for k, (name, ty, is_written, is_absent) in enumerate(described):
        if is_written or is_absent:
            continue
        if name == "mask" and mnemonic != "fns":
            values = [LANES] * COUNT
        elif name == "a" and mnemonic in ("bar", "barrier"):
            values = [0] * COUNT
        elif name == "b" and mnemonic in ("bar", "barrier"):
            values = [32] * COUNT
        else:
            values = operand_values(mnemonic, k, ty)
        inputs.append(values)
    if mnemonic in ("vote", "match", "shfl", "redux", "activemask", "bar", "barrier"):
        results = together(mnemonic, words, types[0] if types else None, inputs)
        if "warp" in words:
            results = [[]] * COUNT
    elif address:
        results = [accessed(mnemonic, words, types, lanes, v, [values[v] for values in inputs]) for v in range(COUNT)]
    elif not written:
        results = [[]] * COUNT
    else:
        results = [computed(mnemonic, words, types, [values[v] for values in inputs], marks) for v in range(COUNT)]
        ty = written[0][1]
        width = max(bits_of(ty), 32) if bits_of(ty) == 8 else bits_of(ty)
        for result in results:
            # A wider register gets the value extended.
            result[0] = cut(number(result[0], ty), width)
    pairs = bool(written) and "|" in written[0][0]
    shown = ["/".join(format(value, "x") for value in (result if pairs or address or "b128" in types else result[:1])) for result in results]
    if explain:
        for v in range(COUNT):
            print(v, [format(values[v], "x") for values in inputs], "->", shown[v])
    name = ".".join([mnemonic] + words) + (":" + ",".join(marks) if any(marks) else "")
    bound = bound_of(mnemonic, types)
    bound = f" within {bound}" if bound else ""
    return f"{name}{bound} = {' '.join(shown)}".rstrip()


def halves_of(value):
    """The halves of an operand of 128 bits: the upper one is the lower one, 1 bit further to the left."""
    return [value, cut(value << 1, 64)]


def accessed(mnemonic, words, types, lanes, v, o):
    """Registers that a load writes; the 32 bytes after a store; the old value and the 32 bytes after an atomic."""
    memory = bytearray(area(0 if space_of(words) in ("const", "param") else v))
    if mnemonic in ("prefetch", "prefetchu", "applypriority", "discard"):
        return []
    ty = types[0]
    if ty == "b128":
        ty, lanes = "b64", 2
    size = bits_of(ty) // 8
    whole = lambda: [int.from_bytes(memory[8 * i:8 * i + 8], "little") for i in range(4)]
    if mnemonic in ("ld", "ldu"):
        elements = [int.from_bytes(memory[size * i:size * i + size], "little") for i in range(lanes)]
        width = max(bits_of(ty), 32) if size == 1 else bits_of(ty)
        return [cut(number(element, ty), width) for element in elements]
    if mnemonic == "st":
        # Element i has the operand's value, i bits further to the left.
        for i in range(lanes):
            memory[size * i:size * i + size] = cut(cut(o[0], max(8 * size, 32)) << i, 8 * size).to_bytes(size, "little")
        return whole()
    old = int.from_bytes(memory[:size], "little")
    o = [cut(value, 8 * size) for value in o]
    memory[:size] = cut(atomic(words, ty, old, o), 8 * size).to_bytes(size, "little")
    return ([old] if mnemonic == "atom" else []) + whole()


ELSEWHERE = ("bra", "brx", "call", "ret", "exit", "trap", "brkpt", "mma", "wmma", "cp", "mbarrier")


def main():
    rows, classes = tables()
    seen, lines, unknown = set(), [], []
    for pattern, operands in rows:
        mnemonic = re.split(r"[.\[(]", pattern)[0]
        if mnemonic in ELSEWHERE or pattern.startswith("st.param"):
            continue
        for at, words in enumerate(samples(pattern, classes)):
            name = ".".join([mnemonic] + words)
            if name in seen or len(sys.argv) > 1 and sys.argv[1] != name:
                continue
            seen.add(name)
            try:
                for marks in [[""] * len(operands)] + markings(mnemonic, words, operands, at):
                    lines.append(line(mnemonic, words, operands, marks, len(sys.argv) > 1))
            except (Skip, KeyError, IndexError, TypeError, StopIteration) as error:
                unknown.append(f"{name}: {error!r}")
    if len(sys.argv) > 1:
        print("\n".join(lines))
    else:
        head = ["# Written by tests/conformance/make.py, which describes the form."]
        head += [f"values {name} {' '.join(format(value, 'x') for value in values)}" for name, values in VALUES.items()]
        (ROOT / "tests/data/ptx/conformance.txt").write_text("\n".join(head + lines) + "\n")
    for name in unknown:
        print(f"no meaning is known of {name}", file=sys.stderr)
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
