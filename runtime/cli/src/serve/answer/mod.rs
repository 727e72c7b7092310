//! Answers to questions, in a process that may do nothing but answer one.

mod asked;
mod compile;
mod forms;
mod layer;
mod lines;
mod ptx;
mod run;
mod steps;
mod why;

use super::question::{Job, Question};
use anyhow::Result;
use asked::Asked;
use serde::Serialize;

/// The response, as JSON. A refusal is an object with `refused`, a sentence.
pub fn answer(job: &Job) -> Vec<u8> {
    let found = match &job.question {
        Question::Compile(source) => compile::compile(&Asked::new(source, job)).and_then(json),
        Question::Why(source, place) => why::why(&Asked::new(source, job), *place).and_then(json),
        Question::Step(source, options) => {
            steps::steps(&Asked::new(source, job), options).and_then(json)
        }
        Question::Run(source, options) => {
            run::run(&Asked::new(source, job), options).and_then(json)
        }
    };
    // A sentence can always be written.
    found.unwrap_or_else(|error| json(Refused::new(&error)).unwrap_or_default())
}

fn json(value: impl Serialize) -> Result<Vec<u8>> {
    Ok(serde_json::to_vec(&value)?)
}

/// A refused request.
#[derive(Serialize)]
struct Refused {
    refused: String,
}

impl Refused {
    fn new(error: &anyhow::Error) -> Refused {
        Refused { refused: format!("{error:#}") }
    }
}
