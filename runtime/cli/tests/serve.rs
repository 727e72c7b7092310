//! The server of the explorer: who may ask, what a question may take, and what answers hold.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A server that ends with the test.
struct Server {
    process: Child,
    host: String,
    token: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// An answer of the server.
struct Answer {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.body)))
    }

    /// The sentence that refuses.
    fn refused(&self) -> String {
        self.json()["refused"].as_str().unwrap_or_default().to_owned()
    }
}

impl Server {
    /// A server with these words on its command line.
    fn start(words: &[&str]) -> Server {
        let mut process = Command::new(env!("CARGO_BIN_EXE_reconverge"))
            .args(["serve", "--no-open"])
            .args(words)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut url = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut url).unwrap();
        let rest = url.trim().strip_prefix("http://").unwrap();
        let (host, token) = rest.strip_suffix('/').unwrap().split_once('/').unwrap();
        assert!(host.starts_with("127.0.0.1:"), "{url}");
        assert_eq!(token.len(), 32, "{url}");
        Server { host: host.to_owned(), token: token.to_owned(), process }
    }

    /// Sends bytes as they are, and reads what comes back until the server is done; nothing if it just hangs up. If it has
    /// nothing to say for some time, it is told that nothing more will come.
    fn raw(&self, bytes: &[u8], patience: Duration) -> Option<Answer> {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(patience)).unwrap();
        // The server may have heard enough.
        let _ = stream.write_all(bytes);
        let mut all = Vec::new();
        let is_slow = |error: std::io::Error| error.kind() == ErrorKind::WouldBlock;
        if stream.read_to_end(&mut all).is_err_and(is_slow) {
            let _ = stream.shutdown(Shutdown::Write);
            stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
            let hangs = stream.read_to_end(&mut all).is_err_and(is_slow);
            assert!(!hangs, "the server hangs at {:?}", String::from_utf8_lossy(bytes));
        }
        let end = all.windows(4).position(|four| four == b"\r\n\r\n")?;
        let head = String::from_utf8_lossy(&all[..end]).into_owned();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Some(Answer { status, head: head.to_lowercase(), body: all[end + 4..].to_vec() })
    }

    /// A request with these lines in its head.
    fn request(&self, method: &str, path: &str, lines: &[String], body: &[u8]) -> Answer {
        let mut bytes = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n").into_bytes();
        lines.iter().for_each(|line| bytes.extend(format!("{line}\r\n").bytes()));
        bytes.extend(format!("content-length: {}\r\n\r\n", body.len()).bytes());
        bytes.extend(body);
        self.raw(&bytes, Duration::from_secs(30)).expect("an answer")
    }

    /// The header fields of the page's requests.
    fn own(&self) -> Vec<String> {
        let host = &self.host;
        vec![
            format!("host: {host}"),
            format!("origin: http://{host}"),
            "sec-fetch-site: same-origin".to_owned(),
            "content-type: application/json".to_owned(),
        ]
    }

    fn get(&self, path: &str) -> Answer {
        let host = format!("host: {}", self.host);
        self.request("GET", &format!("/{}/{path}", self.token), &[host], b"")
    }

    /// A question of the page.
    fn ask(&self, kind: &str, question: Value) -> Answer {
        let path = format!("/{}/api/{kind}", self.token);
        self.request("POST", &path, &self.own(), question.to_string().as_bytes())
    }

    /// The answer to a question about a program.
    fn about(&self, kind: &str, source: &str) -> Value {
        let answer = self.ask(kind, json!({ "source": source }));
        assert_eq!(answer.status, 200, "{}", answer.refused());
        answer.json()
    }
}

const KERNEL: &str = "__global__ void twice(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0)
        x[i] *= 2;
}
int main() {
    float *x;
    cudaMalloc(&x, 64 * sizeof(float));
    cudaMemset(x, 0, 64 * sizeof(float));
    twice<<<2, 32>>>(x, 64);
    return cudaDeviceSynchronize();
}
";

#[test]
fn the_page_comes_with_its_files() {
    let server = Server::start(&[]);
    let page = server.get("");
    assert_eq!(page.status, 200);
    assert!(page.head.contains("default-src 'none'"), "{}", page.head);
    assert!(page.head.contains("frame-ancestors 'none'") && page.head.contains("nosniff"));
    assert!(!page.head.contains("access-control"), "{}", page.head);
    let text = String::from_utf8(page.body).unwrap();
    let files = text.split('"').filter(|word| word.ends_with(".js") || word.ends_with(".css"));
    let mut wanted: Vec<String> = files.map(str::to_owned).collect();
    assert!(wanted.len() >= 3, "{text}");
    let mut seen = 0;
    while let Some(name) = wanted.get(seen).cloned() {
        let file = server.get(&name);
        assert_eq!(file.status, 200, "{name}");
        if name != "editor.bundle.js" && name.ends_with(".js") {
            let text = String::from_utf8(file.body).unwrap();
            let imported =
                text.split("from \"./").skip(1).filter_map(|rest| rest.split('"').next());
            for other in imported {
                if !wanted.iter().any(|known| known == other) {
                    wanted.push(other.to_owned());
                }
            }
        }
        seen += 1;
    }
    assert!(wanted.contains(&"editor.bundle.js".to_owned()), "{wanted:?}");
    let start = server.get("api/start").json();
    assert!(start["examples"].as_array().unwrap().len() > 5, "{start}");
    for path in ["nothing.js", "../Cargo.toml", "%2e%2e/x", "/etc/passwd", "api/nothing"] {
        assert!(matches!(server.get(path).status, 404 | 405), "{path}");
    }
}

#[test]
fn no_one_else_may_ask() {
    let server = Server::start(&[]);
    let (host, token) = (&server.host, &server.token);
    let body = json!({ "source": KERNEL }).to_string();
    let post = |path: &str, lines: &[&str]| {
        let kind = ["content-type: application/json"];
        let lines: Vec<String> = lines.iter().chain(&kind).map(|line| line.to_string()).collect();
        server.request("POST", path, &lines, body.as_bytes())
    };
    let (own_host, own) = (format!("host: {host}"), format!("origin: http://{host}"));
    let path = format!("/{token}/api/compile");
    assert_eq!(post(&path, &[&own_host, &own]).status, 200);
    let port = host.split_once(':').unwrap().1;
    let rebound = format!("host: evil.example:{port}");
    let refused: [(&str, &[&str], &str); 9] = [
        ("/api/compile", &[&own_host, &own], "token"),
        ("/0123456789abcdef0123456789abcdef/api/compile", &[&own_host, &own], "token"),
        (&path, &[&rebound, &format!("origin: http://evil.example:{port}")], "host"),
        (&path, &[&rebound, &own], "host"),
        (&path, &[&format!("host: localhost:{port}"), &own], "host"),
        (&path, &[&own_host], "another page"),
        (&path, &[&own_host, "origin: http://evil.example"], "another page"),
        (&path, &[&own_host, "origin: null"], "another page"),
        (&path, &[&own_host, &own, "sec-fetch-site: cross-site"], "another page"),
    ];
    for (path, lines, why) in refused {
        let answer = post(path, lines);
        assert_eq!(answer.status, 403, "{path} {lines:?}");
        assert!(answer.refused().contains(why), "{path} {lines:?}: {}", answer.refused());
        assert!(!answer.head.contains("access-control"), "{}", answer.head);
    }
    // A form or an image of another page needs no permission to send, and gets nothing either.
    let plain = server.request("GET", &format!("/{token}/"), &[rebound], b"");
    assert_eq!(plain.status, 403);
    let options = server.request("OPTIONS", &path, &[own_host, own], b"");
    assert!(options.status == 405 && !options.head.contains("access-control"));
}

/// Connections that send nothing, trickle, or lack the token keep no one waiting.
#[test]
fn strangers_hold_no_places() {
    let server = Server::start(&[]);
    let trickle = format!("GET /{}/ HTTP/1.1\r\nhost: {}\r\n", server.token, server.host);
    let refused = format!("GET / HTTP/1.1\r\nhost: {}\r\n\r\n", server.host);
    for sent in ["", trickle.as_str(), refused.as_str()] {
        let held: Vec<TcpStream> = (0..300)
            .map(|_| {
                let mut stream = TcpStream::connect(&server.host).unwrap();
                // The server may have ended it already.
                let _ = stream.write_all(sent.as_bytes());
                stream
            })
            .collect();
        let start = Instant::now();
        assert_eq!(server.get("").status, 200);
        let took = start.elapsed();
        assert!(took < Duration::from_secs(5), "{took:?} beside {} of {sent:?}", held.len());
    }
}

/// The connection of a request that is refused is closed, though it asks to be kept.
#[test]
fn a_refusal_closes_the_connection() {
    let server = Server::start(&[]);
    let refused = format!(
        "GET /{}/ HTTP/1.1\r\nhost: {}\r\nconnection: keep-alive\r\n\r\n",
        "0".repeat(32),
        server.host
    );
    let mut stream = TcpStream::connect(&server.host).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    stream.write_all(refused.as_bytes()).unwrap();
    let mut all = String::new();
    stream.read_to_string(&mut all).expect("the server ends the connection at once");
    assert!(all.starts_with("HTTP/1.1 403") && all.contains("connection: close"), "{all}");
}

#[test]
fn bad_questions_are_refused_in_words() {
    let server = Server::start(&[]);
    let send = |kind: &str, body: &[u8]| {
        server.request("POST", &format!("/{}/api/{kind}", server.token), &server.own(), body)
    };
    for body in [&b""[..], b"{", b"[]", b"{}", b"\xff\xfe", b"{\"source\": 3}", b"null"] {
        let answer = send("compile", body);
        assert_eq!((answer.status, answer.refused().is_empty()), (400, false), "{body:?}");
    }
    let deep = [b"[".repeat(100_000), b"]".repeat(100_000)].concat();
    assert_eq!(send("compile", &deep).status, 400);
    assert_eq!(send("nothing", b"{}").status, 404);
    let large = format!("{{\"source\": \"{}\"}}", " ".repeat(1 << 20));
    let answer = send("compile", large.as_bytes());
    assert!(answer.status == 413 && answer.refused().contains("1024 KiB"));
    let lines = &server.own()[..3];
    let answer = server.request("POST", &format!("/{}/api/compile", server.token), lines, b"{}");
    assert_eq!(answer.status, 415);
    let refused = [
        (json!({ "source": "", "options": "--machine /etc/passwd" }), "there is no machine"),
        (json!({ "source": "", "options": "-I /etc" }), "no files"),
        (json!({ "source": "", "options": "--set divergence=none-such" }), "none-such"),
        (json!({ "source": "", "options": "'" }), "no end"),
    ];
    for (question, why) in refused {
        let answer = server.ask("compile", question);
        assert!(answer.status == 200 && answer.refused().contains(why), "{}", answer.refused());
    }
    let why = server.ask("why", json!({ "source": KERNEL, "line": 1_000_000 }));
    assert!(why.refused().contains("line 1000000"), "{}", why.refused());
    assert!(server.ask("why", json!({ "source": KERNEL, "line": 0 })).refused().contains('0'));
}

#[test]
fn programs_are_compiled() {
    let server = Server::start(&[]);
    let answer = server.about("compile", KERNEL);
    assert_eq!(answer["diagnostics"], json!([]));
    assert!(answer["checked"].as_str().unwrap().contains("kernel twice"));
    let tree = answer["tree"].as_array().unwrap();
    assert!(tree.iter().any(|line| line[1] == 4 && line[0].as_str().unwrap().contains("assign")));
    let kernel = &answer["kernels"][0];
    assert_eq!(kernel["name"], "twice");
    let code = kernel["assembly"].as_array().unwrap();
    let load = code.iter().find(|line| line[0].as_str().unwrap().contains("ld.global")).unwrap();
    assert_eq!(load[1], 3);
    let passes = kernel["passes"].as_array().unwrap();
    assert_eq!((&passes[0]["pass"], &passes[0]["changed"]), (&json!("lower"), &json!(true)));
    let space = passes.iter().find(|after| {
        let rows = after["rows"].as_array().unwrap();
        let has = |tag: i32, part: &str| {
            rows.iter().any(|row| row[0] == tag && row[1].as_str().unwrap().contains(part))
        };
        has(-1, "ld.generic") && has(1, "ld.global")
    });
    assert_eq!(space.unwrap()["pass"], "address-space");
    assert!(kernel["graph"].as_str().unwrap().contains("data-line=\"3\""));
    let layer = kernel["layer"].as_array().unwrap();
    let mark = |line, column| {
        layer.iter().find(|mark| mark["line"] == line && mark["column"] == column).unwrap()
    };
    let affine = mark(2, 39);
    assert_eq!((&affine["class"], &affine["taint"]), (&json!("affine"), &json!("P")));
    // A word is marked by its own meaning, not by that of the expression that begins with it.
    assert_eq!(mark(2, 13)["class"], "uniform", "blockIdx");
    assert_eq!(mark(2, 9)["class"], "affine", "i");
    let data = mark(3, 18);
    assert_eq!((&data["what"], &data["taint"]), (&json!("branch"), &json!("D")));
    assert_eq!(mark(3, 9)["taint"], "P");
    let broken = server.about("compile", "int main() { return x; }\n");
    assert_eq!(broken["diagnostics"][0]["labels"][0]["line"], 1);
    assert_eq!(broken["kernels"], json!([]));
    // The unreadable declaration is the error, not only its uses.
    let unread =
        server.about("compile", "wrong int f() { return 1; }\nint main() { return f(); }\n");
    let first = &unread["diagnostics"][0];
    assert_eq!((&first["severity"], &first["labels"][0]["line"]), (&json!("error"), &json!(1)));
    // A fault on the host does not hide the kernels.
    let half = server.about("compile", &KERNEL.replace("return cuda", "return undeclared + cuda"));
    assert_eq!(
        (half["diagnostics"].as_array().unwrap().len(), half["kernels"].as_array().unwrap().len()),
        (1, 1)
    );
}

#[test]
fn hints_are_shown() {
    let server = Server::start(&[]);
    let source = "__global__ void k(int *x, int n) {\n    int s = 0;\n    \
                  for (int i = 0; i < n; i++) s += x[i * 8 + threadIdx.x];\n    x[threadIdx.x] = s;\n}\n";
    let options = "--machine tiny --set scheduler=divergence-aware";
    let answer = server.ask("compile", json!({ "source": source, "options": options })).json();
    let code = answer["kernels"][0]["assembly"].as_array().unwrap();
    assert!(code.iter().any(|line| line[0].as_str().unwrap().ends_with("!hint stride 4")));
}

#[test]
fn places_are_explained() {
    let server = Server::start(&[]);
    let answer = server.ask("why", json!({ "source": KERNEL, "line": 3, "column": 18 })).json();
    let text = answer["text"].as_str().unwrap();
    assert!(text.contains("depends on data in memory") && text.contains("`threadIdx.x`"), "{text}");
    let answer = server.ask("why", json!({ "source": KERNEL, "line": 2, "column": 13 })).json();
    let text = answer["text"].as_str().unwrap();
    assert!(text.contains("the same in all threads of a block"), "{text}");
}

#[test]
fn programs_run() {
    let server = Server::start(&[]);
    let source = "#include <cstdio>
        __global__ void k(int *x) { x[threadIdx.x] = 7; }
        int main(int argc, char **argv) {
            int *x, y, read = 0;
            scanf(\"%d\", &read);
            cudaMalloc(&x, 128);
            k<<<1, 32>>>(x);
            cudaMemcpy(&y, x, 4, cudaMemcpyDeviceToHost);
            printf(\"%d %s %d\\n\", y, argv[1], read);
            fprintf(stderr, \"note\\n\");
            return 3;
        }";
    let question = json!({ "source": source, "name": "my.cu", "options": "--machine tiny",
        "arguments": "'a b'", "input": "5" });
    let answer = server.ask("run", question.clone());
    assert_eq!(answer.body, server.ask("run", question).body);
    let ran = answer.json();
    assert_eq!(ran["output"], "7 a b 5\n");
    assert_eq!(
        (&ran["errors"], &ran["ended"]),
        (&json!("note\n"), &json!("it ended with status 3\n"))
    );
    assert!(ran["table"].as_str().unwrap().contains("cycles"));
    let page = ran["page"].as_str().unwrap();
    assert!(
        page.starts_with("<!DOCTYPE html>") && page.contains("reconverge run my.cu --machine tiny")
    );
    let broken = server.about("run", "int main() { return x; }");
    assert!(broken["diagnostics"][0]["severity"] == "error" && broken["page"] == "");
}

/// A kernel with lines of its original source.
const PTX: &str = ".version 8.0
.target sm_75
.address_size 64
.visible .entry _Z5twicePf(.param .u64 x)
{
    .reg .b32 %r<2>; .reg .f32 %f<2>; .reg .b64 %rd<4>;
    .loc 1 2 5
    ld.param.u64 %rd1, [x];
    mov.u32 %r1, %tid.x;
    .loc 1 3 9
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.f32 %f1, [%rd3];
    add.f32 %f1, %f1, %f1;
    st.global.f32 [%rd3], %f1;
    ret;
}
.file 1 \"folder/twice.cu\"
";

#[test]
fn ptx_is_compiled_run_and_stepped_through() {
    let server = Server::start(&[]);
    // PTX is recognised by its first line, or by its name.
    let answer = server.about("compile", &format!("// a comment\n\n{PTX}"));
    assert_eq!((&answer["is_ptx"], &answer["diagnostics"]), (&json!(true), &json!([])));
    let question = |more: Value| {
        let mut all = json!({ "source": PTX, "name": "twice.ptx" });
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        all
    };
    let answer = server.ask("compile", question(json!({}))).json();
    assert_eq!(answer["origins"], json!([[7, "twice.cu", 2, ""], [10, "twice.cu", 3, ""]]));
    let kernel = &answer["kernels"][0];
    assert_eq!(kernel["name"], "twice");
    // The lines are those of the PTX text.
    let code = kernel["assembly"].as_array().unwrap();
    let load = code.iter().find(|line| line[0].as_str().unwrap().contains("ld.global")).unwrap();
    assert_eq!(load[1], 13);
    assert_eq!(kernel["passes"][0]["pass"], "lower");
    let tree = answer["tree"].as_array().unwrap();
    assert!(tree.contains(&json!(["  ld.global.f32 with 2 operands @13", 13])), "{tree:?}");
    let why = server.ask("why", question(json!({ "line": 13 }))).json();
    assert!(why["text"].as_str().unwrap().contains("thread"), "{why}");

    let launch = "twice --grid 2 --block 32 --arg iota:32:type=f32";
    let ran = server.ask("run", question(json!({ "arguments": launch }))).json();
    let output = ran["output"].as_str().unwrap();
    assert!(output.contains("x: float[32]") && output.contains("0 2 4 6"), "{ran}");
    assert!(ran["table"].as_str().unwrap().contains("cycles"));
    assert!(ran["page"].as_str().unwrap().contains("reconverge launch twice.ptx twice"));
    let step = |arguments: &str| {
        server
            .ask("step", question(json!({ "arguments": arguments, "kernel": "twice", "block": 1 })))
    };
    let found = step(launch).json();
    assert_eq!((&found["grid"], &found["ended"]), (&json!([2, 1, 1]), &json!("")));
    let steps = found["steps"].as_array().unwrap();
    assert_eq!(steps.iter().filter(|step| step["access"].is_object()).count(), 2, "{found}");

    // Faults, and arguments that are no launch.
    let broken = server.about("compile", &PTX.replace("add.f32", "sum.f32"));
    assert_eq!(broken["diagnostics"][0]["labels"][0]["line"], 14);
    assert_eq!(broken["kernels"], json!([]));
    let trap = server.ask("run", question(json!({ "arguments": launch.replace(":32:", ":8:") })));
    assert_eq!(trap.json()["faults"][0]["labels"][0]["line"], 13);
    for (arguments, why) in [
        ("", "twice --grid 4"),
        ("twice --grid 1", "--block"),
        ("other --grid 1 --block 1", "no kernel `other`"),
        ("twice --grid 1 --block 1", "takes 1 argument"),
        ("twice --grid 1 --block 1 --arg raw:/etc/passwd:type=u8", "no files"),
    ] {
        let refused = server.ask("run", question(json!({ "arguments": arguments }))).refused();
        assert!(refused.contains(why), "{arguments}: {refused}");
    }
    let other = step("twice2 --grid 1 --block 1").refused();
    assert!(other.contains("`twice` is chosen"), "{other}");
}

#[test]
fn blocks_are_stepped_through() {
    let server = Server::start(&[]);
    let source = KERNEL.replace("twice<<<", "twice<<<1, 32>>>(x, 64); twice<<<");
    let ask = |more: Value| {
        let mut question = json!({ "source": source, "kernel": "twice" });
        question.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        server.ask("step", question)
    };
    let answer = ask(json!({ "launch": 1, "block": 1 }));
    assert_eq!(answer.body, ask(json!({ "launch": 1, "block": 1 })).body);
    let found = answer.json();
    assert_eq!((&found["scheme"], &found["grid"]), (&json!("simt-stack"), &json!([2, 1, 1])));
    assert_eq!((&found["full"], &found["ended"]), (&json!(false), &json!("")));
    let steps = found["steps"].as_array().unwrap();
    let loads: Vec<_> = steps.iter().filter_map(|step| step["access"].as_object()).collect();
    // 64 floats are zero: nothing is stored.
    assert_eq!(loads.len(), 1, "{found}");
    assert_eq!((&loads[0]["what"], &loads[0]["space"]), (&json!("load"), &json!("global")));
    assert_eq!(loads[0]["lanes"].as_array().unwrap().len(), 32);
    assert_eq!(steps[0]["lanes"], json!({ "warp": 0, "mask": "1".repeat(32) }));
    let lanes = json!({ "warp": 0, "mask": "1".repeat(32) });
    let path = json!({ "name": null, "pc": 1, "lanes": lanes, "status": "running" });
    let entry = json!({
        "kind": "stack", "reconvergence": null, "paths": [path], "is_likely": false, "likely": null,
    });
    assert_eq!(steps[0]["scheme"], json!([{ "entries": [entry], "paths": [] }]));
    let last = steps.last().unwrap();
    assert_eq!((&last["gone"], &last["paths"]), (&json!([0]), &json!([])));
    let other = ask(json!({ "divergence": "warp-formation" })).json();
    assert_eq!((&other["scheme"], &other["regroups"]), (&json!("warp-formation"), &json!(true)));
    let formed = &other["steps"][0]["scheme"][0];
    assert_eq!((&formed["entries"], &formed["paths"][0]["pc"]), (&json!([]), &json!(1)));
    let refused = [
        (json!({ "kernel": "other" }), "does not launch `other`"),
        (json!({ "launch": 2 }), "2 times"),
        (json!({ "launch": 1, "block": 2 }), "blocks 0 to 1"),
        (json!({ "divergence": "none-such" }), "none-such"),
    ];
    for (more, why) in refused {
        let refused = ask(more).refused();
        assert!(refused.contains(why), "{refused}");
    }
    // The affine warp's instructions are among the steps, and so are the entries that it has
    // prepared for the block's warps.
    let source = source.replace("twice<<<1, 32>>>", "twice<<<1, 256>>>");
    let queues = server.ask(
        "step",
        json!({ "source": source, "kernel": "twice",
        "options": "--set affine=decoupled --set decoupled.kernels=all" }),
    );
    let steps = queues.json()["steps"].as_array().unwrap().clone();
    assert!(steps.iter().any(|step| step["warp"].is_null()), "no step of the affine warp");
    let waits = |step: &Value| {
        let mut queues = step["queues"].as_array().into_iter().flatten();
        queues.any(|queue| *queue != json!([0, 0]))
    };
    assert!(steps.iter().any(waits), "nothing is ever in a queue");
}

#[test]
fn no_program_gets_files() {
    let server = Server::start(&[]);
    let included = server.about("compile", "#include \"/etc/passwd\"\nint main() {}\n");
    assert_eq!(included["diagnostics"][0]["severity"], "error");
    assert!(included["diagnostics"][0]["notes"][0].as_str().unwrap().contains("reads no files"));
    let source = "#include <cstdio>
        int main() {
            FILE *a = fopen(\"/etc/passwd\", \"r\"), *b = fopen(\"new.txt\", \"w\");
            printf(\"%d %d\\n\", a != 0, b != 0);
        }";
    let ran = server.about("run", source);
    assert_eq!(ran["output"], "0 0\n");
    let errors = ran["errors"].as_str().unwrap();
    assert!(errors.contains("`/etc/passwd`: programs have no files"), "{errors}");
    assert!(errors.contains("`new.txt`"), "{errors}");
}

#[test]
fn the_file_of_the_command_line_is_shown_with_its_headers() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("serve");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("a.h"), "#include \"b.h\"\n").unwrap();
    std::fs::write(folder.join("b.h"), "const int seven = 7;\n").unwrap();
    std::fs::write(folder.join("c.h"), "const int secret = 8;\n").unwrap();
    let source = "#include \"a.h\"\nint main() { return seven; }\n";
    let file = folder.join("main.cu");
    std::fs::write(&file, source).unwrap();
    let server = Server::start(&[file.to_str().unwrap(), "-O1", "-DN=2"]);
    let opened = &server.get("api/start").json()["opened"];
    let expected =
        json!({ "name": "main.cu", "source": source, "options": "-DN=2 -O1", "arguments": "" });
    assert_eq!(*opened, expected);
    assert_eq!(server.about("run", source)["ended"], "it ended with status 7\n");
    let other = server.about("compile", "#include \"c.h\"\nint main() {}\n");
    assert_eq!(other["diagnostics"][0]["severity"], "error");
    std::fs::remove_dir_all(folder).unwrap();
}

/// Asks, and is stopped by a limit, in not much more time than there is.
fn stopped(server: &Server, kind: &str, source: &str) -> Value {
    let start = Instant::now();
    let answer = server.about(kind, source);
    assert!(start.elapsed() < Duration::from_secs(20), "it took {:?}", start.elapsed());
    answer
}

#[test]
fn endless_programs_are_stopped() {
    let server = Server::start(&["--max-seconds", "1"]);
    let host = "int main() { volatile int i = 0; while (true) i++; }";
    let device = "__global__ void k(int *x) { for (int i = 0; ; i++) x[0] = i; }
        int main() { int *x; cudaMalloc(&x, 4); k<<<1, 1>>>(x); return cudaDeviceSynchronize(); }";
    for source in [host, device] {
        let answer = stopped(&server, "run", source);
        assert_eq!(answer["stopped"], "time", "{answer}");
        assert!(answer["refused"].as_str().unwrap().contains("longer than 1 s"), "{answer}");
    }
    assert_eq!(server.about("compile", KERNEL)["kernels"][0]["name"], "twice");
}

#[test]
fn too_much_is_cut_or_refused() {
    let server = Server::start(&["--max-memory", "512"]);
    let prints = "#include <cstdio>\nint main() { for (;;) puts(\"much\"); }";
    let ran = stopped(&server, "run", prints);
    assert!(ran["ended"].as_str().unwrap().contains("more than its limit of output"), "{ran}");
    assert!(ran["output"].as_str().unwrap().len() <= 256 << 10);
    let macros = "#define A B B B B B B B B B B\n#define B C C C C C C C C C C\n#define C D D D D D D D D D D\n\
        #define D E E E E E E E E E E\n#define E F F F F F F F F F F\n#define F G G G G G G G G G G\n#define G 1+\nint x = A 0;\n";
    let expanded = stopped(&server, "compile", macros);
    assert!(
        expanded["diagnostics"][0]["message"].as_str().unwrap().contains("too much"),
        "{expanded}"
    );
    // A tree of a megabyte of source is not shown as a whole.
    let long = format!("int x = 1{};\n", "+1".repeat(200_000));
    let tree = stopped(&server, "compile", &long);
    let is_cut = tree["tree"].as_array().is_some_and(|rows| {
        rows.last().is_some_and(|row| row[0].as_str().unwrap().contains("not shown"))
    });
    let is_refused = tree["diagnostics"][0]["severity"] == "error" || tree["refused"].is_string();
    assert!(is_cut || is_refused, "{}", tree["refused"]);
}

#[cfg(target_os = "linux")]
#[test]
fn memory_is_limited() {
    let server = Server::start(&["--max-memory", "256"]);
    let takes = "#include <cstdio>
        int main() {
            int count = 0;
            while (count < 100 && malloc(50 << 20)) count++;
            printf(\"%d\", count);
        }";
    let got: u32 = stopped(&server, "run", takes)["output"].as_str().unwrap().parse().unwrap();
    assert!((1..6).contains(&got), "{got} times 50 MiB");
    let large = format!("int a[] = {{{}}};\n", "1,".repeat(450_000));
    let answer = stopped(&server, "compile", &large);
    assert_eq!(answer["stopped"], "memory", "{answer}");
    assert!(answer["refused"].as_str().unwrap().contains("256 MiB"), "{answer}");
}

/// A small generator of random numbers (Marsaglia's xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % count as u64) as usize
    }

    fn one<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }
}

/// A request with something wrong, or not.
fn bad_request(random: &mut Random, server: &Server) -> Vec<u8> {
    let Server { host, token, .. } = server;
    let kind = random.one(&[
        "compile",
        "why",
        "run",
        "start",
        "",
        "x",
        "..",
        "%00",
        "compile/",
        "compile?x=1",
    ]);
    let method = random
        .one(&["POST", "POST", "POST", "GET", "PUT", "OPTIONS", "CONNECT", "post", "P\0ST", ""]);
    let path = match random.below(6) {
        0 => format!("/{}", random.one(&["", "..", "//", "*", "\u{fe0f}", "%2f%2f"])),
        1 => format!("http://{host}/{token}/api/{kind}"),
        2 => format!("/{token}/{}", "a/".repeat(random.below(5000))),
        _ => format!("/{token}/api/{kind}"),
    };
    let version =
        random.one(&["HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/9", ""]);
    let sources = [
        "",
        "{",
        "__global__ void k() {}",
        "int main() { return 1; }",
        "#include \"a\"",
        "\u{0}\u{202e}ß",
    ];
    let source = random.one(&sources);
    let options = random.one(&[
        "",
        "-O1",
        "-O",
        "--set",
        "--machine tiny",
        "'",
        "--set sm.warp_width=0",
        "-x",
    ]);
    let number = random.one(&["1", "0", "-1", "4294967295", "1e99", "null", "[]"]);
    let body = match random.below(5) {
        0 => random.one(&["", "{}", "[", "null", "\"\\ud800\"", "{\"source\":1}"]).to_owned(),
        _ => format!(
            "{{\"source\": {}, \"options\": {}, \"line\": {number}, \"arguments\": {}}}",
            json!(source),
            json!(options),
            json!(random.one(&["", "'", "a"]))
        ),
    };
    let length = match random.below(8) {
        0 => "content-length: 18446744073709551616".to_owned(),
        1 => "content-length: -1".to_owned(),
        2 => "transfer-encoding: chunked".to_owned(),
        3 => format!("content-length: {}\r\ncontent-length: 3", body.len()),
        _ => format!("content-length: {}", body.len()),
    };
    let more = match random.below(6) {
        0 => format!("x: {}\r\n", "y".repeat(random.below(100_000))),
        1 => "x: y\r\n".repeat(random.below(300)),
        2 => "origin: http://evil.example\r\n".to_owned(),
        3 => "expect: 100-continue\r\n".to_owned(),
        _ => String::new(),
    };
    let own = server.own().join("\r\n");
    let text = format!(
        "{method} {path} {version}\r\n{own}\r\nconnection: close\r\n{more}{length}\r\n\r\n{body}"
    );
    let mut bytes = text.into_bytes();
    for _ in 0..[0, 0, 0, 1, 3][random.below(5)] {
        let at = random.below(bytes.len());
        match random.below(3) {
            0 => bytes[at] = random.below(256) as u8,
            1 => bytes.truncate(at),
            _ => bytes.insert(at, b"\r\n \0:"[random.below(5)]),
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}

/// Random requests: `RECONVERGE_REQUESTS` is their number, `RECONVERGE_SEED` their seed.
#[test]
fn bad_requests_are_survived() {
    let number = |name: &str| std::env::var(name).ok();
    let count: u32 = number("RECONVERGE_REQUESTS").map_or(300, |text| text.parse().unwrap());
    let seed = number("RECONVERGE_SEED").and_then(|text| u64::from_str_radix(&text, 16).ok());
    let seed = seed.unwrap_or(1);
    let server = Server::start(&[]);
    let expected = server.ask("compile", json!({ "source": KERNEL })).body;
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut statuses = std::collections::BTreeMap::<u16, u32>::new();
    for index in 0..count {
        let bytes = bad_request(&mut random, &server);
        let status =
            server.raw(&bytes, Duration::from_millis(300)).map_or(0, |answer| answer.status);
        *statuses.entry(status).or_default() += 1;
        let shown = String::from_utf8_lossy(&bytes);
        assert!(status != 500, "seed {seed:x}, request {index}: {shown}");
    }
    assert_eq!(server.ask("compile", json!({ "source": KERNEL })).body, expected, "seed {seed:x}");
    println!("{count} requests, seed {seed:x}, by status: {statuses:?}; no failures");
    assert!(count < 100 || statuses.len() >= 5, "{statuses:?}");
}
