//! C++ programs of the host print what the system's C++ compiler makes of them, or are refused.

use crate::data;
use reconverge_tests::cpp_programs::{self, CppProgram, Tried};
use std::path::Path;
use std::sync::Mutex;

/// The programs of the suite, from seed 0.
const PROGRAMS: u64 = 60;

#[test]
fn cpp_programs_print_what_the_system_compiler_makes_of_them() {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) || !cpp_programs::has_compiler() {
        println!("skipped: there is no `c++` for x86-64");
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cpp-programs");
    std::fs::create_dir_all(&folder).unwrap();
    let total = Mutex::new(Tried::default());
    let seeds: Vec<u64> = (0..PROGRAMS).collect();
    data::each(&seeds, |seed| {
        let program = CppProgram::new(*seed);
        let tried = cpp_programs::compare(&program, &folder, &format!("seed-{seed}"))
            .map_err(|error| format!("{error:#}"))?;
        total.lock().unwrap().add(tried);
        Ok(())
    });
    let total = total.into_inner().unwrap();
    println!("{total}");
    assert!(total.programs >= PROGRAMS * 8 / 10, "few programs are valid C++: {total}");
    assert!(total.accepted >= total.programs / 2, "few programs are accepted: {total}");
}
