//! The server: HTTP on 127.0.0.1.

use super::guard::Guard;
use super::limits::Limits;
use super::places::{Place, Places};
use super::question::{Header, Opened, Question};
use super::{assets, worker};
use anyhow::{Context, Result};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CACHE_CONTROL, CONNECTION, CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// Until a request's head, and then its body, have to be there.
const PATIENCE: Duration = Duration::from_secs(10);
/// Bytes of a request's head.
const HEAD: usize = 64 << 10;

/// The headers of every response: only the server's own files are part of the page, no other page may frame it, and nothing is cached.
/// The editor puts its style into the page itself.
const POLICY: [(&str, &str); 5] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; \
         frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
];

/// The options of a server.
#[derive(Debug)]
pub struct Setup {
    /// The port, or 0 for any that is free.
    pub port: u16,
    /// The first program of the page.
    pub opened: Opened,
    /// The headers that programs may include.
    pub headers: Vec<Header>,
    /// The limits of requests.
    pub limits: Limits,
    /// This program, which answers in processes of its own.
    pub program: PathBuf,
}

/// The state shared by all connections.
struct Shared {
    setup: Setup,
    guard: Guard,
    workers: Semaphore,
    waiting: Semaphore,
}

/// Serves until the process ends. `ready` is told the address of the page.
///
/// # Errors
/// The port is taken, or the system has no random numbers.
pub fn serve(setup: Setup, ready: impl FnOnce(&str) -> Result<()>) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let port = setup.port;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
        let listener = listener.with_context(|| format!("cannot listen on 127.0.0.1:{port}"))?;
        let guard =
            Guard::new(listener.local_addr()?).context("the system has no random numbers")?;
        ready(&guard.url())?;
        let Limits { at_once, waiting, .. } = setup.limits;
        let shared = Shared {
            setup,
            guard,
            workers: Semaphore::new(at_once),
            waiting: Semaphore::new(at_once + waiting),
        };
        accept(listener, Arc::new(shared)).await
    })
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) -> Result<()> {
    let places = Places::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // The connection is already gone, or too many files are open, which passes.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let shared = shared.clone();
        places.enter(|place| async move {
            let service = service_fn(|request| respond(&shared, &place, request));
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(PATIENCE)
                .max_buf_size(HEAD)
                .auto_date_header(false)
                .serve_connection(TokioIo::new(stream), service);
            // A client that has broken the protocol or gone away is not told.
            let _ = connection.await;
        });
    }
}

type Answer = Response<Full<Bytes>>;

async fn respond(
    shared: &Shared,
    place: &Place,
    request: Request<Incoming>,
) -> Result<Answer, Infallible> {
    let changes = request.method() == Method::POST;
    let path = request.uri().path().to_owned();
    let mut answer = match shared.guard.admit(request.headers(), &path, changes) {
        Err(refusal) => {
            let mut answer = sentence(StatusCode::FORBIDDEN, refusal.sentence());
            answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            answer
        }
        Ok(path) => {
            place.admit().await;
            admitted(shared, path, request).await
        }
    };
    for (name, value) in POLICY {
        answer.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    answer.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(answer)
}

/// The answer to a request that has the token; its path follows the token.
async fn admitted(shared: &Shared, path: &str, request: Request<Incoming>) -> Answer {
    match (request.method(), path.strip_prefix("api/")) {
        (&Method::POST, Some(address)) => question(shared, address, request).await,
        (&Method::GET, Some("start")) => start(shared),
        (&Method::GET, None) => file(path),
        _ => sentence(
            StatusCode::METHOD_NOT_ALLOWED,
            "refused: the address is not asked in this way",
        ),
    }
}

/// A question and its answer.
async fn question(shared: &Shared, address: &str, request: Request<Incoming>) -> Answer {
    let kind = request.headers().get(CONTENT_TYPE);
    if kind.is_none_or(|kind| kind != "application/json") {
        return sentence(StatusCode::UNSUPPORTED_MEDIA_TYPE, "refused: a question is JSON");
    }
    let limits = shared.setup.limits;
    let body = Limited::new(request.into_body(), limits.question).collect();
    let body = match tokio::time::timeout(PATIENCE, body).await {
        Ok(Ok(body)) => body.to_bytes(),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            let most = format!("refused: the program is larger than {} KiB", limits.question >> 10);
            return sentence(StatusCode::PAYLOAD_TOO_LARGE, &most);
        }
        Ok(Err(_)) => {
            return sentence(StatusCode::BAD_REQUEST, "refused: the question is not whole");
        }
        Err(_) => {
            return sentence(
                StatusCode::REQUEST_TIMEOUT,
                "refused: the question did not come in time",
            );
        }
    };
    let question = match Question::read(address, &body) {
        Some(Ok(question)) => question,
        Some(Err(error)) => {
            let wrong = format!("refused: this is not a question: {error}");
            return sentence(StatusCode::BAD_REQUEST, &wrong);
        }
        None => return sentence(StatusCode::NOT_FOUND, "refused: there is no such question"),
    };
    let Ok(_place) = shared.waiting.try_acquire() else {
        return sentence(
            StatusCode::SERVICE_UNAVAILABLE,
            "refused: too many questions wait already",
        );
    };
    // It is never closed.
    let _worker = shared.workers.acquire().await;
    let Setup { program, headers, .. } = &shared.setup;
    match worker::ask(program, question, headers, limits).await {
        Ok(answer) => typed(StatusCode::OK, "application/json", answer),
        Err(error) => sentence(StatusCode::INTERNAL_SERVER_ERROR, &format!("{error:#}")),
    }
}

/// The first program of the page.
fn start(shared: &Shared) -> Answer {
    // Texts and numbers can always be written.
    let text = serde_json::to_vec(&assets::start(&shared.setup.opened)).unwrap_or_default();
    typed(StatusCode::OK, "application/json", text)
}

/// A file of the page.
fn file(path: &str) -> Answer {
    match assets::find(path) {
        Some((kind, text)) => typed(StatusCode::OK, kind, text.as_bytes().to_vec()),
        None => sentence(StatusCode::NOT_FOUND, "refused: the page has no such file"),
    }
}

fn sentence(status: StatusCode, text: &str) -> Answer {
    let text = serde_json::json!({ "refused": text }).to_string();
    typed(status, "application/json", text.into_bytes())
}

fn typed(status: StatusCode, kind: &'static str, bytes: Vec<u8>) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from(bytes)));
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    answer
}
