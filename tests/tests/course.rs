//! The exercises of the course: the program to begin with fails, and the teacher's answer passes.

use crate::data::each;
use reconverge::build;
use reconverge::exercise::{Exercise, Grade};
use reconverge::host::interruption::Interruption;
use reconverge::host::sandbox::Sandbox;
use reconverge::study::catalogue::EXERCISES;
use reconverge_tests::oracle::NoFiles;
use std::path::Path;

/// The grade of a program of a folder of the course.
fn graded(exercise: &Exercise, folder: &str) -> Result<Grade, String> {
    let course = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/course");
    let path = course.join(folder).join(&exercise.start);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{path:?}: {error}"))?;
    let checked = build::check(&exercise.start, &text, &[], &mut NoFiles);
    let machine = exercise.machine().map_err(|error| format!("{error:#}"))?;
    let (sandbox, interruption) = (Sandbox::default(), Interruption::default());
    let graded = exercise.grade(&exercise.start, &checked, &machine, sandbox, interruption);
    graded.map(|(grade, _)| grade).map_err(|_| format!("{path:?} does not compile"))
}

#[test]
fn beginnings_fail_and_answers_pass() {
    let names = EXERCISES.names();
    assert!(!names.is_empty());
    each(&names, |name| {
        let exercise = Exercise::read(name).map_err(|error| format!("{error:#}"))?;
        let begin = graded(&exercise, "exercises")?;
        if begin.passed {
            return Err(format!("{name}: the program to begin with passes already"));
        }
        let answer = graded(&exercise, "answers")?;
        if !answer.passed {
            return Err(format!("{name}: the answer fails:\n{}", answer.text()));
        }
        let page = Path::new("../docs/course").join(format!("{}.md", exercise.page));
        let text = std::fs::read_to_string(&page).map_err(|error| format!("{page:?}: {error}"))?;
        match text.contains(&format!("reconverge grade {name} ")) {
            true => Ok(()),
            false => Err(format!("{page:?} does not name `reconverge grade {name}`")),
        }
    });
}
