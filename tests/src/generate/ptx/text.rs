//! The text around the statements: declarations, the registers' first values, and the stores of their last ones.

use super::operand::{POOLS, QUADS};
use crate::generate::node::Node;
use crate::generate::random::Random;
use std::fmt::Write;

/// Registers that threads load at the start and store at the end.
pub const REGISTERS: usize = {
    let (mut count, mut at) = (0, 0);
    while at < POOLS.len() {
        count += POOLS[at].1;
        at += 1;
    }
    count
};
/// Bytes of a thread's own cells of global memory.
pub const OWN_BYTES: usize = 64;
/// Bytes that a thread stores: its own cells, and its registers.
pub const THREAD_BYTES: usize = (OWN_BYTES + REGISTERS * 8).next_multiple_of(64);
/// Bytes of a thread's own cells of shared memory.
pub const TILE_BYTES: usize = 32;
/// Bytes of local memory.
pub const LOCAL_BYTES: usize = 64;
/// Bytes of the read-only tables.
pub const TABLE_BYTES: usize = 256;
/// Bytes of the parameter that is an array.
pub const PARAMETER_BYTES: usize = 64;
/// Cells of 8 bytes that all threads change, of each kind of memory.
pub const COMMON: usize = 16;
/// Bytes of the cells that all threads change: those of global memory, and those that each block's shared memory had.
pub const CELLS: usize = COMMON * 8;

/// The parts of a text.
pub struct Parts<'a> {
    pub seed: u64,
    pub block: [u32; 3],
    pub grid: [u32; 2],
    pub lanes: bool,
    pub body: &'a [Node],
    pub functions: &'a [Vec<Node>],
}

/// The whole text.
pub fn module(parts: &Parts<'_>) -> String {
    let Parts { seed, block: [bx, by, bz], grid: [gx, gy], lanes, .. } = *parts;
    let mut random = Random::new(seed ^ 0x7AB1E);
    let mut table = || {
        let bytes: Vec<String> =
            (0..TABLE_BYTES).map(|_| (random.draw() & 0xff).to_string()).collect();
        bytes.join(",")
    };
    let mut text = format!(
        "// seed {seed} grid {gx}x{gy} block {bx}x{by}x{bz} lanes {}\n\
         .version 8.0\n.target sm_75\n.address_size 64\n\
         .global .align 32 .b8 board[{TABLE_BYTES}] = {{{}}};\n\
         .const .align 32 .b8 table[{TABLE_BYTES}] = {{{}}};\n",
        u32::from(lanes),
        table(),
        table()
    );
    for (at, body) in parts.functions.iter().enumerate() {
        function(at, body, &mut text);
    }
    let threads = bx * by * bz;
    let tile = threads as usize * TILE_BYTES;
    let _ = write!(
        text,
        ".visible .entry k(.param .u64 out, .param .u64 in, .param .u64 cells, .param .align 32 .b8 blob[{PARAMETER_BYTES}])\n{{\n\
         {}.reg .b32 %tile32, %tiles, %thread, %threads, %whole, %number;\n\
         .reg .b64 %own, %in, %tile, %stack, %board, %commons, %commong, %blockcells;\n\
         .shared .align 32 .b8 tile[{tile}];\n.shared .align 8 .b8 common[{CELLS}];\n\
         .local .align 32 .b8 stack[{LOCAL_BYTES}];\n",
        registers()
    );
    text.push_str(&prologue());
    for node in parts.body {
        node.write(&mut text, 1);
    }
    text.push_str(&epilogue());
    text.push_str("ret;\n}\n");
    text
}

/// Declarations of the registers that statements use.
fn registers() -> String {
    let mut text = String::new();
    for (name, count) in POOLS {
        let _ = writeln!(text, ".reg .{name} %{name}_<{count}>;");
    }
    let _ = writeln!(text, ".reg .b128 %b128_<{QUADS}>;");
    text + ".reg .b16 %t16; .reg .b32 %t32; .reg .b64 %t64, %high64; .reg .pred %test;\n\
            .reg .b32 %loop_<4>; .reg .pred %again_<4>;\n"
}

/// A function; those with even numbers take registers.
fn function(at: usize, body: &[Node], text: &mut String) {
    let head = match at % 2 {
        0 => format!(".func (.reg .b32 %out) f{at}(.reg .b32 %a, .reg .b64 %b)"),
        _ => format!(".func (.param .b32 out) f{at}(.param .b32 a, .param .b64 b)"),
    };
    let _ = writeln!(
        text,
        "{head}\n{{\n{}.reg .b32 %thread;\n.reg .b64 %board;\nmov.u64 %board, board;\ncvta.global.u64 %board, %board;",
        registers()
    );
    if at % 2 == 1 {
        text.push_str(
            ".reg .b32 %a;\n.reg .b64 %b;\nld.param.b32 %a, [a];\nld.param.b64 %b, [b];\nst.param.b32 [out], %a;\n",
        );
    }
    // The value of a register that was never written is open here: a call may follow another one.
    for (slot, name, number) in slots() {
        let more = slot * 0x0123_4567;
        let register = format!("%{name}_{number}");
        let _ = match name {
            "pred" => writeln!(text, "setp.lt.u32 {register}, %a, {};", more & 0xffff_ffff),
            "b16" | "u16" | "s16" => {
                writeln!(text, "xor.b32 %t32, %a, {slot};\ncvt.u16.u32 {register}, %t32;")
            }
            "f32" => writeln!(text, "mov.b32 {register}, %a;"),
            "f64" => writeln!(text, "mov.b64 {register}, %b;"),
            "b64" | "u64" | "s64" => writeln!(text, "xor.b64 {register}, %b, {more};"),
            _ => writeln!(text, "xor.b32 {register}, %a, {};", more & 0xffff_ffff),
        };
    }
    for node in body {
        node.write(text, 1);
    }
    // One word of all results.
    text.push_str(
        "xor.b32 %t32, %b32_0, %b32_1;\nadd.u32 %t32, %t32, %b32_2;\nxor.b32 %t32, %t32, %u32_0;\n\
         add.s32 %t32, %t32, %s32_0;\nmov.b32 %b32_3, %f32_0;\nxor.b32 %t32, %t32, %b32_3;\n",
    );
    text.push_str(match at % 2 {
        0 => "mov.b32 %out, %t32;\n",
        _ => "st.param.b32 [out], %t32;\n",
    });
    text.push_str("ret;\n}\n");
}

/// Addresses, and first values of registers and memory.
fn prologue() -> String {
    let mut text = format!(
        "mad.lo.u32 %t32, %tid.z, %ntid.y, %tid.y;\nmad.lo.u32 %thread, %t32, %ntid.x, %tid.x;\n\
         mul.lo.u32 %threads, %ntid.x, %ntid.y;\nmul.lo.u32 %threads, %threads, %ntid.z;\n\
         add.u32 %whole, %threads, 31;\nand.b32 %whole, %whole, 0xffffffe0;\n\
         mad.lo.u32 %t32, %ctaid.y, %nctaid.x, %ctaid.x;\n\
         mad.lo.u32 %number, %t32, %threads, %thread;\n\
         ld.param.u64 %commong, [cells];\nmad.wide.u32 %blockcells, %t32, {CELLS}, %commong;\n\
         add.s64 %blockcells, %blockcells, {CELLS};\n\
         ld.param.u64 %own, [out];\nmad.wide.u32 %own, %number, {THREAD_BYTES}, %own;\n\
         ld.param.u64 %in, [in];\nmad.wide.u32 %in, %number, {}, %in;\n\
         mov.u32 %tiles, tile;\nmad.lo.u32 %tile32, %thread, {TILE_BYTES}, %tiles;\n\
         cvt.u64.u32 %tile, %tile32;\ncvta.shared.u64 %tile, %tile;\n\
         mov.u64 %commons, common;\ncvta.shared.u64 %commons, %commons;\n\
         mov.u64 %stack, stack;\ncvta.local.u64 %stack, %stack;\n\
         mov.u64 %board, board;\ncvta.global.u64 %board, %board;\n",
        REGISTERS * 8
    );
    for at in (0..OWN_BYTES).step_by(8) {
        let from = at % (REGISTERS * 8);
        let _ =
            writeln!(text, "ld.global.b64 %t64, [%in+{from}];\nst.global.b64 [%own+{at}], %t64;");
        let _ = writeln!(text, "st.local.b64 [stack+{at}], %t64;");
        if at < TILE_BYTES {
            let _ = writeln!(text, "st.shared.b64 [%tile32+{at}], %t64;");
        }
    }
    for (slot, name, at) in slots() {
        let _ = match name {
            "pred" => writeln!(
                text,
                "ld.global.b32 %t32, [%in+{slot}];\nand.b32 %t32, %t32, 1;\nsetp.ne.u32 %pred_{at}, %t32, 0;"
            ),
            _ => writeln!(text, "ld.global.{name} %{name}_{at}, [%in+{slot}];"),
        };
    }
    for at in 0..QUADS {
        let _ = writeln!(text, "mov.b128 %b128_{at}, {{%b64_{at}, %b64_{}}};", at + 1);
    }
    text.push_str("setp.eq.u32 %test, %thread, 0;\n@!%test bra $begin;\n");
    for cell in (0..CELLS).step_by(8) {
        let _ = writeln!(text, "st.shared.b64 [common+{cell}], 0;");
    }
    text + "$begin:\nbar.sync 0;\n"
}

/// Stores of all registers, with those of 128 bits in two of the others, and of the block's common cells.
fn epilogue() -> String {
    let mut text = String::new();
    for at in 0..QUADS {
        let _ = writeln!(
            text,
            "mov.b128 {{%t64, %high64}}, %b128_{at};\nxor.b64 %b64_0, %b64_0, %t64;\nxor.b64 %b64_1, %b64_1, %high64;"
        );
    }
    for (slot, name, at) in slots() {
        let to = OWN_BYTES + slot;
        let _ = match name {
            "pred" => {
                writeln!(text, "selp.u32 %t32, 1, 0, %pred_{at};\nst.global.u32 [%own+{to}], %t32;")
            }
            _ => writeln!(text, "st.global.{name} [%own+{to}], %{name}_{at};"),
        };
    }
    text.push_str("bar.sync 0;\nsetp.eq.u32 %test, %thread, 0;\n@!%test bra $end;\n");
    for cell in (0..CELLS).step_by(8) {
        let _ = writeln!(
            text,
            "ld.shared.b64 %t64, [common+{cell}];\nst.global.b64 [%blockcells+{cell}], %t64;"
        );
    }
    text + "$end:\n"
}

/// The registers: the offset of each in the input, its type and its number.
pub fn slots() -> impl Iterator<Item = (usize, &'static str, usize)> {
    let each = POOLS.iter().flat_map(|&(name, count)| (0..count).map(move |at| (name, at)));
    each.enumerate().map(|(slot, (name, at))| (slot * 8, name, at))
}

/// The register that a thread stores at an offset of its bytes, if it is one.
pub fn register_at(offset: usize) -> Option<String> {
    let slot = offset.checked_sub(OWN_BYTES)? / 8 * 8;
    slots().find(|(at, ..)| *at == slot).map(|(_, name, at)| format!("%{name}_{at}"))
}
