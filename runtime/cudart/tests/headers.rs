//! Programs that use the headers of `build` beside `cuda_runtime.h`. Each prints `PASS`.

use super::programs::compiled;
use super::setup::{fresh, library, run, succeeded};
use reconverge_cli::command::build;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// Compiles a program of the folder `headers`, and runs it.
fn passes_under(model: &str, name: &str) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/headers/{name}.cu"));
    let Some(program) = compiled(&source, &format!("headers-{name}")) else {
        return;
    };
    let text = run(&mut Command::new(program), &[("RECONVERGE_MODEL", model)]);
    let text = succeeded(text, name);
    assert!(text.ends_with("PASS\n"), "{text}");
}

/// Compiles a program, and runs it under the functional model.
fn passes(name: &str) {
    passes_under("functional", name);
}

#[test]
fn random_numbers_are_those_of_curand() {
    passes("random");
}

#[test]
fn the_driver_has_its_header() {
    passes("driver");
}

#[test]
fn complex_numbers_are_on_both_sides() {
    passes("complex");
}

#[test]
fn textures_and_surfaces_read_arrays() {
    passes("texture");
}

#[test]
fn textures_are_filtered_and_have_layers() {
    passes("filter");
}

#[test]
fn texture_references_are_bound() {
    passes("reference");
}

/// The reference model executes the PTX of the program without the compiler.
#[test]
fn textures_are_the_same_under_the_reference_model() {
    passes_under("reference", "filter");
}

/// Blocks wait for each other, which the functional model, block after block, reports as a deadlock.
#[test]
fn blocks_of_a_cooperative_launch_wait_for_each_other() {
    passes_under("timing", "grid");
}

/// The objects of several files, with `-rdc=true`: each uses functions and variables of the other.
#[test]
fn device_code_is_linked_by_name() {
    let folder = fresh("headers-relocatable");
    let program = folder.join("program");
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/headers");
    let mut objects = Vec::new();
    for name in ["relocatable_a", "relocatable_b"] {
        let (source, object) =
            (sources.join(format!("{name}.cu")), folder.join(name).with_extension("o"));
        let words = ["-rdc=true", "-c"].map(OsString::from).into_iter();
        let words: Vec<OsString> =
            words.chain([source.into(), "-o".into(), object.clone().into()]).collect();
        match build::program(&words, &library()) {
            Ok(done) => assert!(done, "{name}"),
            Err(why) if why.to_string().contains("`build` needs clang") => {
                eprintln!("SKIPPED: {why}");
                return;
            }
            Err(why) => panic!("{name}: {why:#}"),
        }
        objects.push(object.into());
    }
    objects.extend(["-o".into(), program.clone().into()]);
    assert!(build::program(&objects, &library()).unwrap());
    let text = run(&mut Command::new(program), &[("RECONVERGE_MODEL", "functional")]);
    let text = succeeded(text, "relocatable");
    assert!(text.ends_with("PASS\n"), "{text}");
}

#[test]
fn instances_of_a_variable_are_apart() {
    passes("variables");
}

#[test]
fn threads_keep_what_they_write_during_launches() {
    passes("threads");
}
