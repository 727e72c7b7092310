//! The analyses' results for a place, with reasons.

use super::asked::Asked;
use super::ptx;
use crate::serve::limits::cut;
use crate::serve::question::Place;
use anyhow::{Result, anyhow, bail};
use reconverge::why;
use reconverge_compiler::lower::{Lowered, Options};
use reconverge_compiler::syntax::SourceMap;
use reconverge_simulator::code_target;
use serde::Serialize;

/// Bytes of the chains that are shown.
const MOST: usize = 256 << 10;

/// The answer.
#[derive(Serialize)]
pub struct Why {
    /// As `compile --why` writes it.
    text: String,
}

/// Asks the analyses.
pub fn why(asked: &Asked, place: Place) -> Result<Why> {
    let target = asked.source.target(&[])?;
    let options = target.build.lowering().for_run(code_target(&target.machine));
    let options = Options { keep_ir: true, ..options };
    if asked.source.is_ptx() {
        let module = ptx::module(asked, &options).0;
        let module = module.ok_or_else(|| anyhow!("the program does not compile"))?;
        return answer(module.lowered(), &module.checked().sources, place);
    }
    let checked = asked.check_as_far_as_possible(&target)?;
    if checked.module.is_none() {
        bail!("the program does not compile");
    }
    let lowered = checked.lower(&options).map_err(|_| anyhow!("the program does not compile"))?;
    answer(&lowered, &checked.sources, place)
}

fn answer(lowered: &Lowered, sources: &SourceMap, place: Place) -> Result<Why> {
    let place = match place.column {
        Some(column) => why::place(&format!("{}:{column}", place.line)),
        None => why::place(&place.line.to_string()),
    };
    let place = place.map_err(|why| anyhow!(why))?;
    let mut text = why::why(lowered, sources, place, false)?;
    cut(&mut text, MOST);
    Ok(Why { text })
}
