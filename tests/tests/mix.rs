//! The instruction mix of the examples at every level, as `spec/optimiser.md` has it.

use crate::data::{Program, examples, generated_table};
use reconverge::build;
use reconverge_compiler::analysis::mix::Mix;
use reconverge_compiler::lower::Options;
use reconverge_compiler::pass::Level;

const LEVELS: [Level; 3] = [Level::None, Level::Basic, Level::Full];

/// An example's kernels together, by level.
fn mixes(program: &Program) -> [[usize; 5]; 3] {
    let checked = build::check(&program.name, &program.text, &[], &mut program.loader());
    LEVELS.map(|level| {
        let options = Options { level, ..Options::default() };
        let lowered = checked.lower(&options).map_err(|error| error.render(false)).unwrap();
        let mut sum = [0; 5];
        for function in &lowered.ir {
            let counts = Mix::of(function).counts();
            sum.iter_mut().zip(counts).for_each(|(sum, (_, count))| *sum += count);
        }
        sum
    })
}

fn cells(mixes: &[[usize; 5]; 3]) -> String {
    let kind = |kind: usize| mixes.map(|mix| mix[kind].to_string()).join(" / ");
    let all = mixes.map(|mix| mix.iter().sum::<usize>().to_string()).join(" / ");
    let kinds: Vec<String> = (0..5).map(kind).chain([all]).collect();
    kinds.join(" | ")
}

#[test]
fn the_table_of_the_examples_is_fresh() {
    let mut rows = String::new();
    let mut sum = [[0; 5]; 3];
    for program in examples() {
        let mixes = mixes(&program);
        rows += &format!("| {} | {} |\n", program.name.trim_end_matches(".cu"), cells(&mixes));
        for (sum, mix) in sum.iter_mut().flatten().zip(mixes.iter().flatten()) {
            *sum += mix;
        }
    }
    let names = Mix::default().counts().map(|(name, _)| name).join(" | ");
    let table = format!(
        "| example | {names} | all |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n\
         {rows}| all | {} |\n",
        cells(&sum)
    );
    generated_table("spec/optimiser.md", "tests/tests/mix.rs", &table);
}
