//! Random statements whose arrays overlap where no compiler can tell, through pointers that are aligned to their
//! elements only, in loops whose trip counts are not known and that threads may leave early; and vector types.

use super::expression::Ty;
use super::node::Node;
use super::statement::Maker;

impl Maker {
    /// One of them; its draws are those of scopes.
    pub(super) fn overlap(&mut self) -> Node {
        let value = self.integer(Ty::Int, 1);
        let draws = &mut self.scopes;
        let (a, b) = (1 + draws.below(9), draws.below(60));
        let rounds = draws.pick(&["(n & 7)", "(i0 & 7)", "(int)(tid % 5u)", "(n & 15)"]);
        let unroll = ["", "#pragma unroll 4\n", "#pragma unroll 3\n"][draws.below(3)];
        let again = format!("{unroll}for (int j = 0; j < {rounds}; j++)");
        // `window` is `mine` of all threads from its second word on.
        const BOTH: &str = "int *p = (int *)mine, *q = window + g * 4;";
        Node::leaf(match draws.below(13) {
            0 => format!(
                "{{ {BOTH}\n{again} {{ p[1] += q[1] + j; q[(j + {b}) % 3] ^= p[2] + {value}; }} i1 += p[3]; }}"
            ),
            1 => format!(
                "{{ {BOTH}\n{again} {{ int one = p[1], two = p[2]; q[0] = two + {a}; q[1] = one; p[3] += q[2]; }} }}"
            ),
            2 => format!(
                "{{ {BOTH}\n{again} {{ if (skewed[(j + {b}) & 127] > {value}) break; p[1 + j % 3] += q[0] + j; }} i2 += q[2]; }}"
            ),
            3 => format!(
                "{{ const int *p = in + (tid & 63) * {a} % 128 + {b}; i0 += (p[0] + p[1] * 3) ^ (p[2] - p[3]); }}"
            ),
            4 => format!(
                "{{ const int *p = skewed + 4 * (tid & 15) + {b};\n{again} i1 += (p[4 * j] ^ p[4 * j + 1]) - p[4 * j + 2] * p[4 * j + 3];\n\
                 i2 ^= bytes[((tid & 15) + {a}) << 2]; }}"
            ),
            5 => format!(
                "{{ unsigned char *c = mine + (tid & 3); short *s = (short *)(mine + 2 * (i1 & 1));\n\
                 {again} {{ c[j & 7] += {a}; s[j % 5] ^= c[5] + j; }} i0 -= c[{}]; }}",
                b & 7
            ),
            6 => format!(
                "{{ int4 v = ((const int4 *)in)[(i1 + {b}) & 63]; i1 += v.x ^ v.w; i2 -= v.y * v.z; }}"
            ),
            7 => format!(
                "{{ const float2 v = ((const float2 *)fin)[(tid * {a} + {b}) & 127]; f0 = v.x * 0.5f; f1 += v.y; }}"
            ),
            8 => format!(
                "*(int4 *)mine = make_int4(i0, {value}, i2, {a}); i1 ^= ((int2 *)mine)[i0 & 1].y + window[g * 4];"
            ),
            9 => format!(
                "{{ quads[tid].x += {value}; int4 v = quads[tid]; v.y ^= v.x + {b}; quads[tid] = v; i1 += v.z - quads[tid].w; }}"
            ),
            10 => format!(
                "{{ int4 v[2]; v[0] = make_int4({value}, i1, {a}, i2); v[1] = quads[tid]; v[i2 & 1].z += {b};\n\
                 int4 w = v[i0 & 1]; i0 ^= w.x + w.w * 3; i2 += w.z; }}"
            ),
            11 => format!(
                "{{ double2 v[2] = {{{{d0, d1}}, {{{a}.5, (double)i0}}}}; v[i1 & 1].x += {b}.0; d0 = v[tid & 1].x; d1 = v[0].y; }}"
            ),
            _ => format!(
                "{{ uchar4 v = ((const uchar4 *)bytes)[(i2 + {b}) & 63]; short4 s = {{s0, (short){value}, v.x, v.w}};\n\
                 short4 *p = (short4 *)mine; p[i0 & 1] = s; i0 += v.y - v.z; s0 = p[0].y; }}"
            ),
        })
    }
}
