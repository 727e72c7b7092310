//! Diagnostics for programs: JSON lines and SARIF.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("messages");
    fs::create_dir_all(&folder).unwrap();
    let text = "#define SIZE cuont\nint count;\nint main()\n{\n    int unused;\n    /* é */ \
                return SIZE;\n}\nint count() { return 1; }\n";
    fs::write(folder.join("two words.cu"), text).unwrap();
    fs::write(folder.join("clean.cu"), "int main() { return 3; }\n").unwrap();
    fs::write(folder.join("trap.cu"), "__global__ void k(int *p) { p[9] = 1; }\nint main()\n{\n    int *p;\n    cudaMalloc(&p, 4);\n    k<<<1, 1>>>(p);\n}\n").unwrap();
    fs::write(
        folder.join("barrier.cu"),
        "__global__ void k(int *p)\n{\n    if (threadIdx.x < 3)\n        __syncthreads();\n}\n",
    )
    .unwrap();
    folder
});

fn call(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reconverge"));
    command.current_dir(&*FOLDER).args(words).output().unwrap()
}

fn lines(words: &[&str]) -> Vec<Value> {
    let output = call(&[words, &["--message-format", "json"]].concat());
    let text = String::from_utf8(output.stderr).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn sarif(words: &[&str]) -> Value {
    let output = call(&[words, &["--message-format", "sarif"]].concat());
    serde_json::from_slice(&output.stderr).unwrap()
}

#[test]
fn json_has_an_object_a_line() {
    for command in ["compile", "run"] {
        let found = lines(&[command, "two words.cu", "--strict"]);
        let codes: Vec<&str> = found.iter().map(|found| found["code"].as_str().unwrap()).collect();
        assert_eq!(codes, ["E0301", "E0302"]);
        let first = &found[0];
        assert_eq!((&first["schema"], &first["severity"]), (&1.into(), &"error".into()));
        assert!(first["message"].as_str().unwrap().contains("`cuont`"));
        assert_eq!(first["helps"].as_array().unwrap().len(), 1);
        assert_eq!(first["notes"][0], "expanded from macro `SIZE`");
        let label = &first["labels"][0];
        assert_eq!(label["primary"], true);
        assert_eq!(label["file"], "two words.cu");
        // The column counts characters, the offset bytes.
        assert_eq!((&label["line"], &label["column"]), (&6.into(), &20.into()));
        assert_eq!((&label["end_line"], &label["end_column"]), (&6.into(), &24.into()));
        assert_eq!((&label["offset"], &label["length"]), (&79.into(), &4.into()));
        let labels = found[1]["labels"].as_array().unwrap();
        assert_eq!((labels.len(), &labels[1]["primary"]), (2, &false.into()));
        assert_eq!(labels[1]["line"], 2);
    }
}

#[test]
fn json_tells_of_runs_and_usage() {
    assert!(lines(&["run", "clean.cu"]).is_empty());
    assert!(lines(&["compile", "clean.cu"]).is_empty());
    let warned = lines(&["compile", "barrier.cu"]);
    assert_eq!((&warned[0]["code"], &warned[0]["severity"]), (&"W0501".into(), &"warning".into()));
    let trap = lines(&["run", "trap.cu"]);
    assert_eq!((&trap[0]["code"], &trap[0]["labels"][0]["line"]), (&"R0005".into(), &1.into()));
    let launch = ["launch", "trap.cu", "k", "--grid", "1", "--block", "1", "--arg"];
    let trap = lines(&[&launch[..], &["zeros:1"]].concat());
    assert_eq!((trap.len(), &trap[0]["code"]), (1, &"R0005".into()));
    let usage = lines(&[&launch[..], &["seven"]].concat());
    assert_eq!((&usage[0]["code"], &usage[0]["severity"]), (&Value::Null, &"error".into()));
    assert!(usage[0]["labels"].as_array().unwrap().is_empty());
    assert_eq!(lines(&["run", "missing.cu"])[0]["severity"], "error");
}

/// The parts of SARIF 2.1.0's schema that are required, and the demands of its text on numbers.
#[test]
fn sarif_is_a_document() {
    for words in [
        &["compile", "two words.cu"][..],
        &["run", "trap.cu"],
        &["run", "clean.cu"],
        &["run", "missing.cu"],
    ] {
        let document = sarif(words);
        assert_eq!(document["version"], "2.1.0");
        assert!(document["$schema"].as_str().unwrap().contains("sarif-2.1.0"));
        let run = &document["runs"][0];
        assert_eq!(document["runs"].as_array().unwrap().len(), 1);
        let driver = &run["tool"]["driver"];
        assert_eq!(driver["name"], "reconverge");
        let rules = driver["rules"].as_array().unwrap();
        let results = run["results"].as_array().unwrap();
        assert_eq!(results.is_empty(), words[1] == "clean.cu");
        for result in results {
            let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
            assert_eq!(rule["id"], result["ruleId"]);
            assert!(rule["shortDescription"]["text"].is_string());
            assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
            assert!(result["message"]["text"].is_string());
            let places = ["locations", "relatedLocations"].map(|key| result[key].as_array());
            for place in places.into_iter().flatten().flatten() {
                let place = &place["physicalLocation"];
                let uri = place["artifactLocation"]["uri"].as_str().unwrap();
                assert!(!uri.contains(' '), "{uri}");
                let region = &place["region"];
                let number = |key: &str| region[key].as_u64().unwrap();
                assert!(number("startLine") >= 1 && number("startColumn") >= 1);
                assert!(number("endLine") >= number("startLine"));
            }
        }
    }
    let both = sarif(&["compile", "two words.cu", "--strict"]);
    let results = &both["runs"][0]["results"];
    let first = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(first["artifactLocation"]["uri"], "two%20words.cu");
    assert!(results[0]["message"]["text"].as_str().unwrap().contains("\nhelp: "));
    assert_eq!(results[1]["relatedLocations"][0]["id"], 0);
}
