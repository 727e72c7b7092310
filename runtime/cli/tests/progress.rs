//! On a terminal progress moves within host code and within a block, and is gone before the program's output. The
//! terminal is that of `script`, of util-linux.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// A single block that works for some seconds, after host code that does.
const PROGRAM: &str = "#include <stdio.h>
__global__ void work(int *a, int n)
{
    int value = threadIdx.x;
    for (int i = 0; i < n; i++)
        value = value * 5 + (value >> 3);
    a[threadIdx.x] = value;
}
int main()
{
    int *a;
    unsigned sum = 0;
    printf(\"begins\\n\");
    for (unsigned i = 0; i < 400000000; i++)
        sum = sum * 5 + i;
    printf(\"host is done\\n\");
    cudaMalloc(&a, 32 * sizeof(int));
    work<<<1, 32>>>(a, 1200000);
    cudaDeviceSynchronize();
    printf(\"kernel is done\\n\");
    return sum == 1;
}
";

/// The lines that remain visible in the end: cleared and overwritten text is gone.
fn seen(written: &str) -> Vec<String> {
    let lines = written.split('\n').map(|line| line.trim_end_matches('\r'));
    lines.map(|line| line.rsplit("\x1b[2K").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn progress_moves_and_is_gone_before_the_output() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("progress");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("work.cu"), PROGRAM).unwrap();
    let call = format!("{} run work.cu", env!("CARGO_BIN_EXE_reconverge"));
    let mut command = Command::new("script");
    command.current_dir(&folder).args(["-qec", &call, "/dev/null"]).stdin(Stdio::null());
    let Ok(output) = command.env("TERM", "xterm").output() else {
        eprintln!("SKIPPED: there is no `script` to make a terminal");
        return;
    };
    let written = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{written}");
    let lines = seen(&written);
    let expected = ["begins", "host is done", "kernel is done"];
    assert_eq!(lines[..3], expected, "{written:?}");
    assert!(lines[3].starts_with('┌'), "{written:?}");
    assert!(written.contains(" running work.cu "), "{written:?}");
    let cycles = written.split("work: cycle ").skip(1).map(|rest| rest.split(',').next().unwrap());
    let mut cycles: Vec<&str> = cycles.collect();
    cycles.dedup();
    assert!(cycles.len() > 1, "it does not move within the block: {written:?}");
}
