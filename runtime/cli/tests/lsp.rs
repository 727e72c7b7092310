//! A recorded session of an editor: each message with the server's answers. `INSTA_UPDATE=always` accepts a change.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

const PROGRAM: &str = "\
__constant__ float bias;
__device__ float add(float a, float b) { return a + b; }
__global__ void k(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = add(x[i], bias);
}
int main()
{
    k<<<1, 32>>>(0, 0);
    return 0;
}
";

/// A server with its streams.
struct Session {
    process: Child,
    output: BufReader<std::process::ChildStdout>,
    record: String,
}

impl Session {
    fn start(arguments: &[&str]) -> Session {
        let mut command = Command::new(env!("CARGO_BIN_EXE_reconverge"));
        command.arg("lsp").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("the program starts");
        let output = BufReader::new(process.stdout.take().expect("it is a pipe"));
        Session { process, output, record: String::new() }
    }

    fn send_text(&mut self, text: &str) {
        let input = self.process.stdin.as_mut().expect("it is open");
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("it reads");
    }

    /// Sends a message and records it with the answers, of which there is this number.
    fn send(&mut self, message: Value, answers: usize) {
        self.send_text(&message.to_string());
        self.record += &format!("> {}\n", message["method"].as_str().unwrap_or("?"));
        (0..answers).for_each(|_| self.receive());
    }

    fn receive(&mut self) {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("there is an answer");
        let length = line.trim().strip_prefix("Content-Length: ").expect("a header");
        let mut text = vec![0; length.parse().expect("a number")];
        self.output.read_line(&mut String::new()).expect("the header ends");
        self.output.read_exact(&mut text).expect("the text is whole");
        let answer: Value = serde_json::from_slice(&text).expect("it is JSON");
        self.record += &format!("{answer:#}\n");
    }

    fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "cuda", "version": 1, "text": text });
        let params = json!({ "textDocument": document });
        self.send(json!({ "method": "textDocument/didOpen", "params": params }), 1);
    }

    fn ask(&mut self, method: &str, uri: &str, line: u32, character: u32) {
        let position = json!({ "line": line, "character": character });
        let params = json!({ "textDocument": { "uri": uri }, "position": position });
        self.send(json!({ "id": line, "method": method, "params": params }), 1);
    }

    /// Closes the stream and waits. Returns the status.
    fn end(mut self) -> (i32, String) {
        drop(self.process.stdin.take());
        let status = self.process.wait().expect("it ends");
        (status.code().expect("no signal"), self.record)
    }
}

#[test]
fn a_session_of_an_editor() {
    let mut session = Session::start(&[]);
    let (program, kernels) = ("file:///none/a%20b.cu", "file:///none/a.ir");
    session.send(json!({ "id": 0, "method": "initialize", "params": {} }), 1);
    session.send(json!({ "method": "initialized", "params": {} }), 0);
    session.open(program, PROGRAM);
    session.ask("textDocument/hover", program, 5, 8);
    session.ask("textDocument/hover", program, 0, 0);
    for (line, character) in [(6, 10), (6, 15), (6, 18), (6, 28), (10, 5), (5, 9)] {
        session.ask("textDocument/definition", program, line, character);
    }
    session.ask("textDocument/formatting", program, 0, 0);
    let broken = PROGRAM.replace("bias);", "bais);");
    let changes = json!([{ "text": broken }]);
    let params = json!({ "textDocument": { "uri": program }, "contentChanges": changes });
    session.send(json!({ "method": "textDocument/didChange", "params": params }), 1);
    session.open(kernels, "version 1\n\nkernel k {\n  param \"out\" 0 8\nb0:\n  %0 = param.global 0\n  %1 = special tid.x\n  st.global.b32 %0, %1\n   return\n}\n");
    session.ask("textDocument/hover", kernels, 7, 3);
    session.ask("textDocument/formatting", kernels, 0, 0);
    session.open("file:///none/m.toml", "base = \"tiny\"\nname = \"m\"\nsmss = 2\n");
    let params = json!({ "textDocument": { "uri": program } });
    session.send(json!({ "method": "textDocument/didClose", "params": params }), 1);
    session.send(json!({ "id": "r", "method": "textDocument/rename", "params": {} }), 1);
    session.send_text("{");
    session.receive();
    session.send(json!({ "id": 9, "method": "shutdown" }), 1);
    session.send(json!({ "method": "exit" }), 0);
    let (status, record) = session.end();
    assert_eq!(status, 0);
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    insta::assert_snapshot!(record.replace(&version, "\"version\": \"VERSION\""));
}

#[test]
fn a_stream_that_is_no_session_ends_with_an_error() {
    let mut session = Session::start(&[]);
    let input = session.process.stdin.as_mut().expect("it is open");
    input.write_all(b"hello\n\n").expect("it reads");
    assert_eq!(session.end().0, 2);
    // Without `shutdown`, the end of the stream is no success.
    assert_eq!(Session::start(&[]).end().0, 1);
}

#[test]
fn the_last_run_is_shown_on_hover() {
    let name = format!("reconverge-lsp-{}.json", std::process::id());
    let profile = std::env::temp_dir().join(name);
    let line = |line: u32, file: &str| json!({ "file": file, "line": line, "stats": { "l1_hits": 3, "l1_misses": 0 } });
    let lines = [line(7, "a b.cu"), line(7, "other.cu"), line(10, "none/a b.cu")];
    let report = json!({ "kernels": [{ "name": "k", "lines": lines }] });
    std::fs::write(&profile, report.to_string()).expect("it can be written");
    let mut session = Session::start(&["--profile", profile.to_str().expect("it is UTF-8")]);
    let program = "file:///none/a%20b.cu";
    session.send(json!({ "id": 0, "method": "initialize", "params": {} }), 1);
    session.open(program, PROGRAM);
    session.record.clear();
    session.ask("textDocument/hover", program, 6, 8);
    let table = "| last run of `k` | |\\n| --- | ---: |\\n| l1_hits | 3 |\\n";
    assert_eq!(session.record.matches(table).count(), 1, "{}", session.record);
    assert!(session.record.contains("```text"), "the answers are there too: {}", session.record);
    // No analysis has an answer at the head of `main`.
    session.ask("textDocument/hover", program, 9, 2);
    assert_eq!(session.record.matches(table).count(), 2, "{}", session.record);
    std::fs::remove_file(&profile).expect("it is there");
    session.ask("textDocument/hover", program, 6, 9);
    assert!(session.record.contains("cannot be read"), "{}", session.record);
    session.send(json!({ "id": 9, "method": "shutdown" }), 1);
    session.send(json!({ "method": "exit" }), 0);
    assert_eq!(session.end().0, 0);
}
