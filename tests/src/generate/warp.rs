//! Random votes and shuffles. Their results do not depend on the width of warps: they stay within
//! four consecutive lanes, of which every warp of our machines has a multiple.

use super::expression::{DOUBLES, FLOATS, INTS, LONGS, Ty};
use super::node::Node;
use super::statement::Maker;

/// The lane, the first of its group of four, and the mask of the group.
const GROUP: &str =
    "unsigned lane = tid % warpSize, first = lane & ~3u, group = 15u << first; (void)group;";

impl Maker {
    /// Threads of a group tell each other something; control is the same for the whole block.
    pub(super) fn together(&mut self) -> Node {
        let text = match self.random.below(11) {
            8 | 9 => self.of_one_value(),
            10 => {
                let kind = self.random.pick(&["add", "min", "max", "and", "or", "xor"]);
                format!(
                    "u1 += __reduce_{kind}_sync(group, (unsigned)({}));",
                    self.integer(Ty::Int, 1)
                )
            }
            0 => {
                let kind = self.random.pick(&["count", "or", "and"]);
                return Node::leaf(format!("i1 += __syncthreads_{kind}({});", self.condition(1)));
            }
            1 => format!("i2 ^= (__ballot_sync(~0u, {}) >> first) & 15;", self.condition(1)),
            2 => {
                let (any, all) = (self.condition(1), self.condition(1));
                format!("b0 = __any_sync(group, {any}); i1 += __all_sync(group, {all});")
            }
            3 => format!("u0 += __ballot_sync(group, {}) >> first;", self.condition(1)),
            4 | 5 => self.masked(),
            _ => self.shuffle("~0u"),
        };
        Node::leaf(format!("{{ {GROUP}\n{text} }}"))
    }

    /// A collective of a value that all threads of the block have in common.
    fn of_one_value(&mut self) -> String {
        let constant = self.random.below(50);
        let value = self.random.pick(&["n", "(int)blockIdx.x", "table[3]", "n * (int)blockIdx.y"]);
        let value = format!("{value} + {constant}");
        match self.random.below(5) {
            0 | 1 => {
                let kind = self.random.pick(&["min", "max", "and", "or"]);
                let cast = if matches!(kind, "and" | "or") { "(unsigned)" } else { "" };
                format!("i1 += __reduce_{kind}_sync(~0u, {cast}({value}));")
            }
            2 => format!("u0 += (__match_any_sync(~0u, {value}) >> first) & 15;"),
            3 => format!("i2 += __shfl_xor_sync(~0u, {value}, {});", 1 + self.random.below(3)),
            _ => format!("i3 = __shfl_down_sync(~0u, {value}, {}, 4);", self.random.below(4)),
        }
    }

    /// Some lanes of each warp, which the mask names.
    fn masked(&mut self) -> String {
        let (choice, vote) = (self.condition(2), self.condition(1));
        let (one, two) = (self.shuffle("m"), self.shuffle("m"));
        let otherwise = match self.random.chance(50) {
            true => {
                format!(" else {{ {} __syncwarp(~m & __ballot_sync(~m, 1)); }}", self.shuffle("~m"))
            }
            false => String::new(),
        };
        format!(
            "bool q = {choice}; unsigned m = __ballot_sync(~0u, q);\n\
             if (q) {{ {one}\n i3 += (__ballot_sync(m, {vote}) >> first) & 15; {two} __syncwarp(m); }}\
             {otherwise}"
        )
    }

    /// A value of any type from another lane of the group.
    fn shuffle(&mut self, mask: &str) -> String {
        let (target, value) = match self.random.below(5) {
            0 => (self.random.pick(&LONGS), self.integer(Ty::Long, 1)),
            1 => (self.random.pick(&FLOATS), self.floating(Ty::Float, 1)),
            2 => (self.random.pick(&DOUBLES), self.floating(Ty::Double, 1)),
            3 => ("u1", self.integer(Ty::UInt, 1)),
            _ => (self.random.pick(&INTS), self.integer(Ty::Int, 1)),
        };
        let (lane, width) = (self.integer(Ty::Int, 1), [2, 4][self.random.below(2)]);
        // Five bits of a distance count.
        let more = self.random.pick(&["", "", " | 32", " | -32", " | 1 << 20"]);
        match self.random.below(4) {
            0 => format!("{target} = __shfl_sync({mask}, {value}, {lane}, {width});"),
            1 => {
                format!("{target} = __shfl_up_sync({mask}, {value}, ({lane}) & 3{more}, {width});")
            }
            2 => {
                format!(
                    "{target} = __shfl_down_sync({mask}, {value}, ({lane}) & 3{more}, {width});"
                )
            }
            _ => {
                format!("{target} = __shfl_xor_sync({mask}, {value}, ({lane}) & 1{more}, {width});")
            }
        }
    }
}
