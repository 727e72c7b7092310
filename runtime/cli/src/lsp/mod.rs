//! `lsp`: a server of the language server protocol on standard input and output.
//!
//! It answers one message after the other. An editor gets the diagnostics of each text that it opens
//! or changes, the analyses' answers on hover, declarations of variables and functions, and formatted
//! IR and assembly.

mod document;
mod frame;
mod last_run;
mod place;

use crate::command::options::BuildOptions;
use anyhow::Result;
use clap::Args;
use document::Document;
use reconverge::status;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// How programs are compiled.
#[derive(Args, Debug)]
pub struct LspArguments {
    #[command(flatten)]
    options: BuildOptions,
    /// On hover, also show the statistics of the line in this profile, which `run --profile-json FILE` writes; it is read each time
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
}

/// Codes of errors, of JSON-RPC and the protocol.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const UNKNOWN_METHOD: i32 = -32601;
const REQUEST_FAILED: i32 = -32803;

/// Serves an editor until it says `exit`, or closes the stream.
///
/// # Errors
/// The editor does not keep to the protocol, or a stream breaks.
pub fn lsp(arguments: &LspArguments) -> Result<ExitCode> {
    let mut server = Server { arguments, documents: BTreeMap::new(), is_over: false };
    server.serve(&mut std::io::stdin().lock(), &mut std::io::stdout().lock())
}

/// The state between messages.
struct Server<'a> {
    arguments: &'a LspArguments,
    /// Open files by their URIs.
    documents: BTreeMap<String, Document>,
    /// The editor has asked for `shutdown`.
    is_over: bool,
}

/// The answer to a request: its result, or the code and message of an error.
type Answer = Result<Value, (i32, String)>;

impl Server<'_> {
    fn serve(&mut self, input: &mut impl BufRead, output: &mut impl Write) -> Result<ExitCode> {
        while let Some(text) = frame::read(input)? {
            let Ok(message) = serde_json::from_slice::<Value>(&text) else {
                let error = json!({ "code": PARSE_ERROR, "message": "the message is no JSON" });
                frame::write(output, &json!({ "jsonrpc": "2.0", "id": null, "error": error }))?;
                continue;
            };
            // A message without a method is an answer; the server asks nothing.
            let Some(method) = message["method"].as_str() else {
                continue;
            };
            if method == "exit" {
                break;
            }
            match message.get("id") {
                Some(id) => {
                    let answer = match self.request(method, &message["params"]) {
                        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
                        Err((code, message)) => {
                            let error = json!({ "code": code, "message": message });
                            json!({ "jsonrpc": "2.0", "id": id, "error": error })
                        }
                    };
                    frame::write(output, &answer)?;
                }
                None => self.notification(method, &message["params"], output)?,
            }
        }
        Ok(if self.is_over { ExitCode::SUCCESS } else { ExitCode::from(status::FOUND) })
    }

    fn request(&mut self, method: &str, params: &Value) -> Answer {
        if self.is_over {
            return Err((INVALID_REQUEST, "the server has shut down".to_owned()));
        }
        let document = params["textDocument"]["uri"].as_str().and_then(|it| self.documents.get(it));
        let position = &params["position"];
        match method {
            "initialize" => Ok(capabilities()),
            "shutdown" => {
                self.is_over = true;
                Ok(Value::Null)
            }
            "textDocument/hover" => {
                let profile = self.arguments.profile.as_deref();
                Ok(document.and_then(|it| it.hover(position, profile)).into())
            }
            "textDocument/definition" => Ok(document.and_then(|it| it.definition(position)).into()),
            "textDocument/formatting" => match document {
                Some(document) => document.formatting().map_err(|why| (REQUEST_FAILED, why)),
                None => Err((REQUEST_FAILED, "the file is not open".to_owned())),
            },
            _ => Err((UNKNOWN_METHOD, format!("`{method}` is not supported"))),
        }
    }

    fn notification(
        &mut self,
        method: &str,
        params: &Value,
        output: &mut impl Write,
    ) -> Result<()> {
        let file = &params["textDocument"];
        let Some(uri) = file["uri"].as_str() else {
            return Ok(());
        };
        let text = match method {
            "textDocument/didOpen" => file["text"].as_str(),
            // Each change has the whole text, as the capabilities state.
            "textDocument/didChange" => {
                let changes = params["contentChanges"].as_array();
                changes.and_then(|changes| changes.last()?["text"].as_str())
            }
            "textDocument/didClose" => None,
            _ => return Ok(()),
        };
        let before = self.documents.remove(uri).map(|document| document.diagnostics);
        let now = text.map(|text| Document::new(uri, text.to_owned(), &self.arguments.options.0));
        let mut shown: BTreeMap<&str, &[Value]> = BTreeMap::new();
        let gone = before.iter().flat_map(BTreeMap::keys);
        shown.extend(gone.map(|uri| (uri.as_str(), [].as_slice())));
        let found = now.iter().flat_map(|document| &document.diagnostics);
        shown.extend(found.map(|(uri, found)| (uri.as_str(), found.as_slice())));
        for (uri, diagnostics) in shown {
            let params = json!({ "uri": uri, "diagnostics": diagnostics });
            let method = "textDocument/publishDiagnostics";
            let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
            frame::write(output, &message)?;
        }
        if let Some(document) = now {
            self.documents.insert(uri.to_owned(), document);
        }
        Ok(())
    }
}

fn capabilities() -> Value {
    json!({
        "capabilities": {
            "textDocumentSync": { "openClose": true, "change": 1 },
            "hoverProvider": true,
            "definitionProvider": true,
            "documentFormattingProvider": true,
        },
        "serverInfo": { "name": "reconverge", "version": env!("CARGO_PKG_VERSION") },
    })
}
