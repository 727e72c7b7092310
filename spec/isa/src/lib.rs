//! Reconverge's SIMT instruction set: one table of operations ([`table`]), their meaning in a lane
//! and in a warp ([`lane`], [`collective`]), the decoded instruction ([`instruction`]), and the
//! program image ([`program`]). It also has a machine's requirements on code ([`CodeTarget`]), the
//! places of registers ([`placement`], [`region_rules`]), the rules of programs ([`mod@validate`]), their
//! text and binary forms ([`text`], [`binary`]) and the specification generated from them
//! ([`spec`]).
//!
//! The table is the only place where an operation is described. The enumeration, the assembler,
//! the encoder, the specification, the constant folder and the simulator's execution all derive
//! from it.

#![deny(clippy::unwrap_used)]

pub mod binary;
mod cache;
mod code_target;
pub mod collective;
pub mod control_bits;
mod control_order;
mod control_rules;
mod control_target;
pub mod convergence;
mod eighth;
mod evaluate;
mod exact;
mod field;
mod half;
pub mod hints;
pub mod instruction;
mod joined;
pub mod lane;
mod levels;
pub mod matrix;
mod matrix_access;
mod matrix_moves;
#[macro_use]
mod matrix_rows;
pub mod names;
pub mod nearest;
pub mod phase;
pub mod placement;
#[doc(hidden)]
pub mod planted;
pub mod program;
mod region;
pub mod region_rules;
mod rounding;
pub mod spec;
mod streams;
pub mod table;
pub mod text;
pub mod uniform_rules;
pub mod validate;
mod vectors;
pub mod wording;

pub use cache::{CacheHints, CacheOperator, Level2Fetch, Level2Priority};
pub use code_target::{AccessCost, CodeTarget, Decoupling, RegisterLevels, StagingLimits};
pub use collective::{evaluate_collective, source_lane};
pub use control_bits::ControlBits;
pub use control_order::InOrder;
pub use control_target::{ControlPart, ControlParts, ControlTarget, FixedLatencies};
pub use evaluate::{Evaluator, evaluate_warp};
pub use hints::{AccessPattern, Hint, HintValues, Hints, Locality};
pub use instruction::*;
pub use lane::{BIT, BLOCK, BlockSource, MAX_LANES, ValueKind, WarpResult, WarpSource, Words};
pub use matrix::{Fragment, Matrix, ZERO_FRAGMENT};
pub use matrix_access::MatrixMove;
pub use matrix_moves::{MATRIX_ROWS, MatrixRows, gather_matrix, spread_matrix};
pub use placement::{OPERAND_ENTRIES, Placement, RegisterLevel};
pub use program::*;
pub use region::{EVICTS_RESULT, Region};
pub use region_rules::RegisterSet;
pub use table::{Effect, Op, Row, Unit};
pub use validate::{Fault, Place, validate};
pub use vectors::Vectors;
