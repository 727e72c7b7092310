//! Ctrl-C: SIGINT sent to a real process.

#![cfg(unix)]

use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// Says that it starts, completes a launch, then launches a kernel that does not end, or turns on the host, or waits
/// for input.
const PROGRAM: &str = r#"#include <stdio.h>
__global__ void add(int *a) { a[threadIdx.x] += 1; }
__global__ void endless(int *a)
{
    for (;;)
        atomicAdd(&a[threadIdx.x], 1);
}
int main(int n, char **words)
{
    int *a;
    cudaMalloc(&a, 64 * sizeof(int));
    add<<<1, 64>>>(a);
    printf("started\n");
    fflush(stdout);
    if (words[1][0] == 'k') {
        endless<<<1, 64>>>(a);
        cudaDeviceSynchronize();
    }
    if (words[1][0] == 'w')
        getchar();
    for (volatile unsigned i = 0;; i++)
        ;
}
"#;

/// A folder with the program; each test has its own, as they run side by side.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("interrupt").join(test);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("program.cu"), PROGRAM).unwrap();
    folder
}

/// Starts the program and returns when it prints that it has started.
fn start(options: &str, what: &str, folder: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reconverge"));
    command.args(["run", "-q", "program.cu"]).args(options.split_whitespace()).args(["--", what]);
    command.current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "started\n");
    sleep(Duration::from_millis(100));
    child
}

fn interrupt(child: &Child) {
    let done = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(done.success());
}

fn error_of(child: &mut Child) -> String {
    let mut error = String::new();
    child.stderr.as_mut().unwrap().read_to_string(&mut error).unwrap();
    error
}

#[test]
fn a_run_stops_and_writes_what_it_has_measured() {
    let folder = folder("stops");
    for (model, what) in [
        ("timing", "kernel"),
        ("functional", "kernel"),
        ("reference", "kernel"),
        ("timing", "host"),
        ("reference", "host"),
    ] {
        let label = format!("{model} {what}");
        let (stats, trace) = (format!("{model}-{what}.json"), format!("{model}-{what}.trace"));
        let mut options = format!("--model {model} --stats {stats}");
        if model == "timing" {
            options += &format!(" --trace {trace} --profile-json profile-{stats}");
        }
        let mut child = start(&options, what, &folder);
        interrupt(&child);
        let error = error_of(&mut child);
        assert_eq!(child.wait().unwrap().code(), Some(130), "{label}: {error}");
        assert!(error.contains("error[R0004]: interrupted"), "{label}: {error}");
        let read = |name: &str| -> Value {
            serde_json::from_slice(&fs::read(folder.join(name)).unwrap()).unwrap()
        };
        let report = read(&stats);
        assert_eq!(report["complete"], false, "{label}");
        assert_eq!(report["kernels"][0]["complete"], true, "{label}");
        if model == "timing" {
            assert_eq!(read(&format!("profile-{stats}"))["complete"], false);
            assert!(fs::metadata(folder.join(&trace)).unwrap().len() > 100);
        }
        if (model, what) != ("reference", "kernel") && what == "kernel" {
            let stopped = &report["kernels"][1];
            assert_eq!(stopped["complete"], false, "{label}");
            assert!(stopped["warp_instructions"].as_u64().unwrap() > 100, "{label}: {stopped}");
        }
    }
}

#[test]
fn the_second_one_ends_the_process() {
    let folder = folder("second");
    let mut child = start("--stats unwritten.json", "wait", &folder);
    interrupt(&child);
    sleep(Duration::from_millis(300));
    assert_eq!(child.try_wait().unwrap(), None, "it waits for input");
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(error_of(&mut child), "");
}
