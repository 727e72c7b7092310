//! `build --toolkit`: a project of CMake that needs a CUDA toolkit, and links device code of two files.

use std::path::Path;
use std::process::{Command, Output};

/// The output of a command that must succeed; none if it cannot be started.
fn done(command: &mut Command) -> Option<Output> {
    let Ok(output) = command.output() else {
        eprintln!("SKIPPED: there is no `{}`", command.get_program().to_string_lossy());
        return None;
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    // A machine may lack these.
    if let Some(lack) = ["libreconverge_cudart.so", "needs clang", "need Linux"]
        .into_iter()
        .find(|lack| !output.status.success() && errors.contains(lack))
    {
        eprintln!("SKIPPED: {lack}");
        return None;
    }
    assert!(output.status.success(), "{command:?}: {text}{errors}");
    Some(output)
}

fn reconverge() -> Command {
    Command::new(env!("CARGO_BIN_EXE_reconverge"))
}

#[test]
fn a_project_of_cmake_is_built_and_runs() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("toolkit");
    let _ = std::fs::remove_dir_all(&folder);
    let (sources, toolkit, built) =
        (folder.join("sources"), folder.join("cuda"), folder.join("built"));
    std::fs::create_dir_all(&sources).unwrap();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/toolkit/CMakeLists.txt");
    std::fs::copy(tests, sources.join("CMakeLists.txt")).unwrap();
    for name in ["relocatable_a.cu", "relocatable_b.cu"] {
        let headers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cudart/tests/headers");
        std::fs::copy(headers.join(name), sources.join(name)).unwrap();
    }
    if done(reconverge().args(["build", "--toolkit"]).arg(&toolkit)).is_none() {
        return;
    }
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(&sources).arg("-B").arg(&built);
    configure.arg(format!("-DCMAKE_CUDA_COMPILER={}", toolkit.join("bin/nvcc").display()));
    configure.arg(format!("-DCUDAToolkit_ROOT={}", toolkit.display()));
    if done(&mut configure).is_none()
        || done(Command::new("cmake").arg("--build").arg(&built)).is_none()
    {
        return;
    }
    let mut program = reconverge();
    program.args(["exec", "--quiet", "--model", "functional", "--"]).arg(built.join("program"));
    let output = done(&mut program).unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).ends_with("PASS\n"));
}
