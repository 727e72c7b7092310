//! Random statements with structures, templates, textures and pointers that are chosen while a thread runs.

use super::expression::Ty;
use super::node::Node;
use super::statement::Maker;

impl Maker {
    /// One of them; its draws are those of scopes.
    pub(super) fn object(&mut self) -> Node {
        let value = self.integer(Ty::Int, 1);
        let condition = self.condition(1);
        let draws = &mut self.scopes;
        let (a, b) = (1 + draws.below(9), draws.below(64));
        let unroll =
            ["", "#pragma unroll\n", "#pragma unroll 3\n", "#pragma unroll 1\n"][draws.below(4)];
        Node::leaf(match draws.below(15) {
            0 => format!(
                "{{ Pair p = pair_of({value}, l0), q = {{{a}, l1}}; p = p + q; i0 = p.a; l1 = p.b; }}"
            ),
            1 => format!(
                "{{ Pair ps[3] = {{{{i0, l0}}, {{i1, {a}}}, {{{value}, l1}}}}; exchange(ps[(i2 & 1)], ps[2]); \
                 l0 += ps[(tid + {b}) % 3].b; i1 ^= ps[1].a; }}"
            ),
            2 => format!(
                "{{ Nested x; x.s[0] = (short)i0; x.s[1] = s0; x.s[2] = {a}; x.pair = pair_of({value}, 5); x.c = uc0; \
                 x.f = f0; Nested y = x; y.s[i1 & 1] += {b}; if ({condition}) x = y; \
                 i2 += x.s[tid % 3] + x.pair.a; f1 = x.f * 0.5f; uc0 = (unsigned char)(x.c + 1); }}"
            ),
            3 => format!(
                "{{ Ring<int> r({value}); r[i0] = i1; r[(int)tid + {a}] += 3; i2 = r[i2] + r.v[{}]; }}",
                b & 3
            ),
            4 => format!(
                "{{ Ring<long long> r(l0); r[{a}] ^= i0; l1 = largest(r.v, 4) - r[(int)tid]; }}"
            ),
            5 => format!("i0 = scaled<{a}>({value}); l0 = scaled<{b}>(l0); u0 = scaled<{a}>(u0);"),
            6 => format!("i1 += largest(in + ((tid + {b}) & 127), {a});"),
            7 => format!(
                "i2 ^= tex1Dfetch<int>(tex, (i1 + {b}) & 255) + tex1Dfetch<int>(tex, (int)(tid & 31) * {a} % 256);"
            ),
            // The pointers lead to the thread's own memory, or to memory that is only read.
            8 => format!(
                "{{ const int *p = ({condition}) ? in + {b} : (const int *)local; int most = p == local ? 7 : 60;\n\
                 {unroll}for (int j = 0; j < (n & 15); j++) i2 = i2 * 3 + p[(j * {a}) & (most == 7 ? 7 : 63)]; }}"
            ),
            9 => format!(
                "{{ int *p = ({condition}) ? &sh[tid] : &local[{}];\n\
                 {unroll}for (int j = 0; j < {a}; j++) *p = *p * 3 + j + i0; }}",
                b & 7
            ),
            10 => format!(
                "{{ long long wide[2] = {{l0, l1}}; long long *p = ({condition}) ? &wide[1] : &out[g * CELLS + 3];\n\
                 {unroll}for (int j = 0; j < (i0 & 7); j++) *p += j * {a}; l1 = wide[1]; }}"
            ),
            11 => format!(
                "{{ volatile int v = {value};\n{unroll}for (volatile int j = 0; j < {a}; j++) v += j ^ i0;\n\
                 if ({condition}) v = i1; i2 = v - v++; v; }}"
            ),
            12 => format!(
                "{{ Kept k = {{i0, {a}, {{1, s0}}, 3}}, m = k; k.a += {value}; k.low += i1; m.s[i1 & 1] = (short)k.a;\n\
                 if ({condition}) m = k; i0 = k.a + m.a * {b} + m.b + m.s[0] - m.s[1] + k.low; }}"
            ),
            13 => format!(
                "{{ volatile long long w[3] = {{l0, {value}, {a}}}; volatile long long *p = &w[i0 & 1]; p[1] ^= l1;\n\
                 l1 = w[1] + w[2]; volatile float f = f0; f += 0.5f; f1 = f; const volatile bool t = {condition}; b1 = t; }}"
            ),
            _ => format!(
                "{{ long long from = (({condition}) ? l0 : (long long){value}) >> 8, sum = 0;\n\
                 {unroll}for (long long j = from; j < from + {a}; j++) sum += j ^ in[(j + {b}) & 255]; l0 = sum; }}"
            ),
        })
    }
}
