//! Ctrl-C: the first one stops a run at its next safe point, so that its measurements are written;
//! the second one ends the process.

use anyhow::{Context, Result};
use reconverge::interruption::Interruption;
use reconverge::status;
use signal_hook::consts::SIGINT;
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The request that Ctrl-C makes from now on.
pub fn on_ctrl_c() -> Result<Interruption> {
    let requested = Arc::new(AtomicBool::new(false));
    // Handlers run in this order: at the first signal the flag is not set yet.
    flag::register_conditional_shutdown(SIGINT, status::INTERRUPTED.into(), requested.clone())
        .and_then(|_| flag::register(SIGINT, requested.clone()))
        .context("cannot handle Ctrl-C")?;
    Ok(Interruption::by(requested))
}
