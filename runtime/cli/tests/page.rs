//! The pages of `run`, `launch` and `compare`: well-formed, whole, escaped, and the same every time.
//!
//! Pages are written so that they are well-formed XML as well, which is stricter than HTML: a parser of XML finds an
//! element that is not closed and text that is not escaped.

use reconverge_features::is_in_part;
use roxmltree::{Document, Node, ParsingOptions};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// An empty folder of a test.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page").join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn call(folder: &Path, words: &[&str]) -> Output {
    let binary = env!("CARGO_BIN_EXE_reconverge");
    Command::new(binary).current_dir(folder).args(words).output().unwrap()
}

/// The page of a call that ends with a status.
fn page(folder: &Path, words: &[&str], status: i32) -> String {
    let output = call(folder, &[&words[..1], &["--html", "page.html"], &words[1..]].concat());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{words:?}: {errors}");
    fs::read_to_string(folder.join("page.html")).unwrap()
}

fn parsed(page: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(page, options).unwrap_or_else(|error| panic!("{error}\n{page}"))
}

fn elements<'a>(page: &'a Document, name: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    page.descendants().filter(move |node| {
        node.has_tag_name(name) || { node.is_element() && node.tag_name().name() == name }
    })
}

fn text(node: Node) -> String {
    node.descendants().filter_map(|it| it.text().filter(|_| it.is_text())).collect()
}

/// A page needs nothing from elsewhere, runs nothing, and its links lead somewhere.
fn check_alone(page: &Document) {
    let mut ids = BTreeMap::<&str, usize>::new();
    for node in page.descendants().filter(Node::is_element) {
        let name = node.tag_name().name();
        assert!(!["script", "link", "img", "iframe", "object", "base"].contains(&name), "<{name}>");
        for attribute in node.attributes() {
            assert!(!attribute.name().starts_with("on"), "{}", attribute.name());
            assert!(!["src", "srcset", "action"].contains(&attribute.name()));
            if attribute.name() == "id" {
                *ids.entry(attribute.value()).or_default() += 1;
            }
        }
    }
    assert!(ids.values().all(|&count| count == 1), "{ids:?}");
    for link in elements(page, "a").filter_map(|node| node.attribute("href")) {
        let id = link.strip_prefix('#').unwrap_or_else(|| panic!("{link} leads away"));
        assert!(ids.contains_key(id), "{link} leads nowhere");
    }
    let style: String = elements(page, "style").map(text).collect();
    assert!(!style.contains("url(") && !style.contains("@import"), "{style}");
}

/// The sections of a run's page, in order.
const SECTIONS: [&str; 6] = ["findings", "kernels", "source", "time-line", "graphs", "occupancy"];

fn sections(page: &Document) -> Vec<String> {
    elements(page, "h2").filter_map(|node| node.attribute("id").map(str::to_owned)).collect()
}

/// The figure of a kernel.
fn figure(kernel: Node, name: &str) -> Option<u64> {
    let mut terms = kernel.descendants().filter(|node| node.has_tag_name("dt"));
    let term = terms.find(|node| text(*node) == name)?;
    text(term.next_siblings().find(|node| node.has_tag_name("dd"))?).replace(' ', "").parse().ok()
}

/// Programs of a folder of examples.
fn programs(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(folder);
    let entries = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "cu")).collect();
    found.sort();
    found
}

#[test]
fn every_example_has_a_page() {
    let folder = folder("examples");
    let all = [programs("."), programs("course"), programs("divergence")].concat();
    assert!(all.len() > 30, "{}", all.len());
    let chosen: Vec<_> = all.iter().enumerate().filter(|(at, _)| is_in_part(*at, 4)).collect();
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for worker in 0..workers {
            let own = chosen.iter().skip(worker).step_by(workers);
            scope.spawn(|| own.for_each(|(at, program)| has_page(&folder, *at, program)));
        }
    });
}

/// A program of the examples, the one with a number, has a page with all sections and the values of
/// the statistics.
fn has_page(folder: &Path, at: usize, program: &Path) {
    let (stats, page) = (format!("{at}.json"), format!("{at}.html"));
    let name = program.to_str().unwrap();
    let words = ["run", name, "-q", "--stats", &stats, "--html", &page];
    let output = call(folder, &words);
    let is_faulty = name.ends_with("off_by_one.cu");
    let status = if is_faulty { 241 } else { 0 };
    assert_eq!(output.status.code(), Some(status), "{name}");
    let text_of_page = fs::read_to_string(folder.join(&page)).unwrap();
    let page = parsed(&text_of_page);
    check_alone(&page);
    let stopped = is_faulty.then_some("stopped").into_iter();
    let expected: Vec<&str> = stopped.chain(SECTIONS).collect();
    assert_eq!(sections(&page), expected, "{name}");
    let stats: Value =
        serde_json::from_str(&fs::read_to_string(folder.join(stats)).unwrap()).unwrap();
    let mut cycles = BTreeMap::<String, u64>::new();
    for launch in stats["kernels"].as_array().unwrap() {
        let samples = launch["samples"].as_array().unwrap().len();
        assert!((1..=400).contains(&samples), "{name}: {samples} samples");
        let name = launch["name"].as_str().unwrap().to_owned();
        *cycles.entry(name).or_default() += launch["cycles"].as_u64().unwrap();
    }
    let kernels = elements(&page, "section");
    let shown: BTreeMap<String, u64> = kernels
        .map(|kernel| {
            let heading = kernel.descendants().find(|node| node.has_tag_name("h3")).unwrap();
            (text(heading), figure(kernel, "cycles").unwrap())
        })
        .collect();
    assert_eq!(shown, cycles, "{name}");
    // A time line, a graph and an occupancy of each kernel.
    assert_eq!(elements(&page, "svg").count(), 1 + 2 * cycles.len(), "{name}");
}

/// A program with two kernels, one of them launched twice.
const SMALL: &str = "#include <stdio.h>
__device__ float twice(float x)
{
    return x + x;
}

__global__ void fill(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = twice(i);
}

__global__ void pick(float *a, int n, int stride)
{
    int i = threadIdx.x;
    float sum = 0.0f;
    while (a[i * stride] > sum)
        sum += 1.0f;
    a[n + i] = sum;
}

int main()
{
    float *a;
    cudaMalloc(&a, 400 * sizeof(float));
    fill<<<2, 64>>>(a, 100);
    fill<<<2, 32>>>(a, 100);
    pick<<<1, 32>>>(a, 300, 3);
    return cudaDeviceSynchronize();
}
";

/// Words of an element, each number as `#`: figures change with the compiler and the machine, the page's structure does not.
fn said(node: Node) -> String {
    let texts = node.descendants().filter_map(|it| it.text().filter(|_| it.is_text()));
    let text = texts.collect::<Vec<_>>().join(" ");
    let mut words = String::new();
    for letter in text.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
        let is_part = letter.is_ascii_digit() || ".,%".contains(letter) && words.ends_with('#');
        match is_part {
            true if words.ends_with('#') => {}
            true => words.push('#'),
            false => words.push(letter),
        }
    }
    words.chars().take(90).collect::<String>().trim_end().to_owned()
}

/// Headings, tables by their titles, folded parts and drawings, indented as they are nested.
fn outline(node: Node, depth: usize, lines: &mut Vec<String>) {
    for child in node.children().filter(Node::is_element) {
        let name = child.tag_name().name();
        let class = child.attribute("class").map_or(String::new(), |class| format!(".{class}"));
        let is_titles =
            name == "tr" && child.first_element_child().is_some_and(|it| it.has_tag_name("th"));
        let words = match name {
            // The set of reasons changes with the machine.
            "p" if [".dim", ".legend"].contains(&class.as_str()) => Some(String::new()),
            "h1" | "h2" | "h3" | "summary" | "p" | "dt" => Some(said(child)),
            "tr" if is_titles => Some(said(child)),
            "details" | "section" | "svg" | "pre" | "table" | "dl" | "ol" | "ul" => {
                Some(String::new())
            }
            _ => None,
        };
        if let Some(words) = words {
            lines
                .push(format!("{}{name}{class} {words}", "  ".repeat(depth)).trim_end().to_owned());
        }
        if !["svg", "tr", "summary", "p", "ol", "ul", "head"].contains(&name) {
            outline(child, depth + 1, lines);
        }
    }
}

#[test]
fn the_outline_of_a_small_page() {
    let folder = folder("outline");
    fs::write(folder.join("small.cu"), SMALL).unwrap();
    let words = ["run", "small.cu", "-q", "--machine", "tiny", "--set", "l1.size=2048"];
    let text = page(&folder, &words, 0);
    let page = parsed(&text);
    check_alone(&page);
    let mut lines = Vec::new();
    outline(page.root_element(), 0, &mut lines);
    insta::assert_snapshot!("small", lines.join("\n"));
    let text =
        self::page(&folder, &["compare", "small.cu", "-q", "--vary", "l1.size=2048,4096"], 0);
    let page = parsed(&text);
    check_alone(&page);
    let mut lines = Vec::new();
    outline(page.root_element(), 0, &mut lines);
    insta::assert_snapshot!("compared", lines.join("\n"));
}

#[test]
fn pages_are_the_same_every_time() {
    let folder = folder("same");
    fs::write(folder.join("small.cu"), SMALL).unwrap();
    let run = |threads: &str| page(&folder, &["run", "small.cu", "--threads", threads], 0);
    let one = run("1");
    for threads in ["1", "2", "4"] {
        assert!(run(threads) == one, "{threads} threads");
    }
    let compare = |threads: &str| {
        let words = ["compare", "small.cu", "--vary", "scheduler=lrr,gto", "--threads", threads];
        page(&folder, &words, 0)
    };
    let one = compare("1");
    assert!(compare("1") == one && compare("3") == one);
}

/// Text that means something to HTML, that is not ASCII, that is long, and with line ends of two letters.
#[test]
fn what_pages_show_of_a_program_is_escaped() {
    let folder = folder("escaped");
    let name = "a'b&\"<i>ü.cu";
    let hard =
        "</code></span><script>alert('ß & \"\u{202e}\")</script> <!-- ]]> {{ 7 * 7 }} {% raw %}";
    let long = "x".repeat(20_000);
    let source = format!(
        "// {hard}\r\n__global__ void straße(int *a) {{ // {hard}\r\n  a[threadIdx.x * 2] += 1; /* {long} */\r\n}}\r\n\
         template <class T> __global__ void k(T *a) {{ if (a[0] < 3 && a[1] > 2) a[0] = '<'; }} // \u{1b}[2J\u{7}\r\n\
         int main(int n, char **v) {{ int *a; cudaMalloc(&a, 4096);\r\n straße<<<1, 32>>>(a);\r\n\
         k<unsigned long long><<<1, 1>>>((unsigned long long *)a);\r\n return 0; }}\r\n"
    );
    let source = source.replace("straße", "strasse");
    fs::write(folder.join(name), source).unwrap();
    let words = ["run", name, "-q", "-DX=\"<b>\"", "--", "<u>&amp;"];
    let text_of_page = page(&folder, &words, 0);
    let page = parsed(&text_of_page);
    check_alone(&page);
    assert!(!text_of_page.contains(['\r', '\u{1b}', '\u{7}', '\u{202e}']));
    let known = [
        "a", "body", "circle", "code", "dd", "details", "div", "dl", "dt", "g", "h1", "h2", "h3",
        "head", "html", "i", "li", "line", "meta", "ol", "p", "path", "polygon", "polyline", "pre",
        "rect", "section", "span", "strong", "style", "summary", "svg", "table", "td", "text",
        "th", "title", "tr", "ul",
    ];
    for node in page.descendants().filter(Node::is_element) {
        let name = node.tag_name().name();
        assert!(known.contains(&name), "<{name}>");
    }
    let hard = hard.replace('\u{202e}', "\u{fffd}");
    let code: Vec<String> = elements(&page, "code").map(text).collect();
    assert!(code.contains(&format!("// {hard}")), "{code:?}");
    assert!(code.contains(&format!("__global__ void strasse(int *a) {{ // {hard}")), "{code:?}");
    assert!(code.iter().any(|line| line.contains("xxx… (") && line.len() < 500), "{code:?}");
    assert!(code.iter().any(|line| line.ends_with("-DX=\"<b>\"' -- '<u>&amp;'")), "{code:?}");
    let headings: Vec<String> =
        ["h1", "h3"].iter().flat_map(|name| elements(&page, name)).map(text).collect();
    assert_eq!(headings[0], name);
    assert!(headings.contains(&"k<unsigned long long>".to_owned()), "{headings:?}");
    let text_of_page = self::page(&folder, &["compare", name, "-q", "--vary=-DX=<b>,\"&\""], 0);
    let page = parsed(&text_of_page);
    check_alone(&page);
    assert!(elements(&page, "th").any(|node| text(node).contains("-DX=<b>")), "{text_of_page}");
}

/// A run that is stopped has a page of the measurements until then, with the reason.
#[test]
fn runs_that_fail_have_pages() {
    let folder = folder("failing");
    let kernel = |body: &str| {
        format!(
            "__global__ void k(int *a) {{\n{body}\n}}\n\
             int main() {{ int *a; cudaMalloc(&a, 64); k<<<1, 64>>>(a); return cudaDeviceSynchronize(); }}\n"
        )
    };
    for (body, words, status, message) in [
        ("a[threadIdx.x] = 1;", &[][..], 241, "out-of-bounds"),
        (
            "if (threadIdx.x < 32) while (((volatile int *)a)[0] == 0);",
            &["--max-cycles", "3000"],
            243,
            "limit",
        ),
        (
            "if (threadIdx.x == 0) { while (atomicCAS(a, 0, 1) != 5); }",
            &["--max-cycles", "3000"],
            243,
            "limit",
        ),
    ] {
        fs::write(folder.join("k.cu"), kernel(body)).unwrap();
        let text_of_page = page(&folder, &[&["run", "k.cu", "-q"], words].concat(), status);
        let page = parsed(&text_of_page);
        check_alone(&page);
        let error = elements(&page, "pre").find(|node| node.attribute("class") == Some("error"));
        let error = text(error.expect("it says what stopped it"));
        assert!(error.contains(message), "{error}");
        assert!(sections(&page).starts_with(&["stopped".to_owned()]), "{:?}", sections(&page));
    }
    // Nothing runs.
    fs::write(folder.join("k.cu"), "int main() { return 3; }\n").unwrap();
    let text_of_page = page(&folder, &["run", "k.cu"], 3);
    assert!(text_of_page.contains("No kernel was launched."));
    check_alone(&parsed(&text_of_page));
    // One configuration of several.
    fs::write(folder.join("k.cu"), kernel("a[threadIdx.x * N] = 1;")).unwrap();
    let text_of_page = page(&folder, &["compare", "k.cu", "-q", "-DM", "--vary=-DN=0,1"], 241);
    let page = parsed(&text_of_page);
    check_alone(&page);
    let headings: Vec<String> = elements(&page, "h3").map(text).collect();
    assert!(headings.contains(&"-DN=1 was stopped".to_owned()), "{headings:?}");
}

#[test]
fn a_launch_has_a_page() {
    let folder = folder("launch");
    fs::write(folder.join("small.cu"), SMALL).unwrap();
    let words = "launch small.cu fill --grid 2 --block 64 --arg zeros:400 --arg 100 --quiet";
    let text_of_page = page(&folder, &words.split(' ').collect::<Vec<_>>(), 0);
    let page = parsed(&text_of_page);
    check_alone(&page);
    assert_eq!(sections(&page), SECTIONS);
    assert!(text_of_page.contains("reconverge launch small.cu fill --grid 2"), "{text_of_page}");
}

#[test]
fn a_page_shows_hints() {
    let folder = folder("hints");
    let ir = "version 1\n\nkernel k {\n  param \"p\" 0 8\nb0:\n  %0 = param.global 0\n  \
              %1 = ld.global.b32 %0 !hint locality poor\n  st.global.b32 %0, %1\n  return\n}\n";
    fs::write(folder.join("k.ir"), ir).unwrap();
    let words = "launch k.ir k --grid 1 --block 32 --arg zeros:4:type=i32 --quiet";
    let text_of_page = page(&folder, &words.split(' ').collect::<Vec<_>>(), 0);
    // The line of the IR, the instruction below it, and the flow graph.
    assert!(text_of_page.matches("!hint locality poor").count() >= 3, "{text_of_page}");
}

/// A finding about a launch that is far from all kernels leads to its line.
#[test]
fn findings_lead_to_their_lines() {
    let folder = folder("far");
    let between = "// nothing\n".repeat(1200);
    let host = "int main() { int *a; cudaMalloc(&a, 64);\nk<<<1, 16>>>(a);\nreturn 0; }\n";
    let kernel = "__global__ void k(int *a) { a[threadIdx.x] = 1; }\n";
    fs::write(folder.join("own.h"), kernel).unwrap();
    for start in [kernel.to_owned(), "#include \"own.h\"\n".to_owned()] {
        fs::write(folder.join("far.cu"), format!("{start}{between}{host}")).unwrap();
        let text_of_page = page(&folder, &["run", "far.cu", "-q"], 0);
        let page = parsed(&text_of_page);
        check_alone(&page);
        assert!(elements(&page, "li").any(|node| text(node).starts_with("far.cu:1203: too few")));
        let is_shown = elements(&page, "code").any(|node| text(node) == "k<<<1, 16>>>(a);");
        assert_eq!(is_shown, elements(&page, "a").any(|node| text(node) == "far.cu:1203"));
        assert!(is_shown || start.contains("include"));
        let others = elements(&page, "code").filter(|node| text(*node) == "// nothing").count();
        assert!(others < 10, "{others} lines far from both");
    }
}

/// Impossible requests are reported before anything runs.
#[test]
fn pages_that_cannot_be() {
    let folder = folder("refused");
    fs::write(folder.join("k.cu"), "#include <stdio.h>\nint main() { puts(\"ran\"); }\n").unwrap();
    for (words, message) in [
        ("run k.cu --html missing/page.html", "cannot write `missing/page.html`"),
        ("run k.cu --html .", "cannot write `.`"),
        ("run k.cu --html p --model functional", "--html needs --model timing"),
        ("run k.cu --html p --model reference", "--html needs --model timing"),
        ("compare k.cu --vary l1.size=2048 --html missing/p", "cannot write `missing/p`"),
        ("compare k.cu --vary l1.size=2048 --html p --model functional", "--html needs"),
    ] {
        let output = call(&folder, &words.split(' ').collect::<Vec<_>>());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}: {errors}");
        assert!(errors.contains(message), "{words}: {errors}");
        assert!(output.stdout.is_empty(), "{words}: it ran");
    }
    assert!(!folder.join("p").exists());
}
