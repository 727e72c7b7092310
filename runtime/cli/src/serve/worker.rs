//! The process that answers one question: its start, its work and its end.
//!
//! It is this program itself, called as `reconverge serve --answer`. It reads a job from standard
//! input, gives up its rights, and writes the answer to standard output.

use super::answer;
use super::limits::Limits;
use super::question::{Header, Job, Question};
use anyhow::{Context, Result};
use serde_json::json;
use std::io::{Read, Write};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};

/// The most bytes of a process's last messages that are read.
const LAST_WORDS: u64 = 64 << 10;

/// Answers a question in a process of its own. A process over its limits is ended, and so is one whose response no one waits for any
/// more: when this future is dropped.
///
/// # Errors
/// The process cannot be started.
pub async fn ask(
    program: &Path,
    question: Question,
    headers: &[Header],
    limits: Limits,
) -> Result<Vec<u8>> {
    let job = serde_json::to_vec(&Job { question, headers: headers.to_vec(), limits })?;
    let mut command = Command::new(program);
    command.args(["serve", "--answer"]);
    if cfg!(unix) {
        // Nothing of the server's surroundings is the program's business. Windows itself needs some of them.
        command.env_clear().current_dir("/");
    }
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .context("cannot start the process that answers")?;
    let time = Duration::from_secs(limits.seconds);
    match tokio::time::timeout(time, talk(&mut child, job, limits)).await {
        Ok(answer) => answer,
        Err(_) => {
            child.kill().await.context("cannot end the process that answers")?;
            Ok(stopped("time", &format!("stopped: it took longer than {} s", limits.seconds)))
        }
    }
}

/// Hands over a job and reads the answer.
async fn talk(child: &mut Child, job: Vec<u8>, limits: Limits) -> Result<Vec<u8>> {
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (Some(mut stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
        anyhow::bail!("the process that answers has no streams");
    };
    // All streams at once: a process that writes to one that no one reads waits forever.
    tokio::spawn(async move {
        // A process that has ended already does not read; its end explains more.
        let _ = stdin.write_all(&job).await;
    });
    let words = tokio::spawn(async move {
        let mut words = Vec::new();
        let _ = stderr.take(LAST_WORDS).read_to_end(&mut words).await;
        words
    });
    let mut answer = Vec::new();
    let read = stdout.take(limits.answer as u64 + 1).read_to_end(&mut answer).await;
    read.context("cannot read the answer")?;
    if answer.len() > limits.answer {
        child.kill().await.context("cannot end the process that answers")?;
        return Ok(stopped(
            "output",
            &format!("stopped: the answer is larger than {} MiB", limits.answer >> 20),
        ));
    }
    let status = child.wait().await.context("cannot wait for the process that answers")?;
    if status.success() {
        return Ok(answer);
    }
    let words = words.await.unwrap_or_default();
    let words = String::from_utf8_lossy(&words);
    Ok(
        match words.contains("memory allocation")
            || words.contains("capacity overflow")
            || words.contains("cannot start a thread")
        {
            true => stopped(
                "memory",
                &format!("stopped: it took more than {} MiB of memory", limits.memory),
            ),
            false => stopped(
                "crash",
                &format!(
                    "stopped: the process that answers has ended with {status}; this is a fault of Reconverge\n{words}"
                ),
            ),
        },
    )
}

/// The answer of a question that was stopped.
fn stopped(limit: &str, sentence: &str) -> Vec<u8> {
    json!({ "stopped": limit, "refused": sentence }).to_string().into_bytes()
}

/// The task of the process: answers the request on standard input.
///
/// # Errors
/// There is no job on standard input, or the answer cannot be written.
pub fn work() -> Result<()> {
    let mut text = Vec::new();
    std::io::stdin().lock().read_to_end(&mut text).context("cannot read the job")?;
    let job: Job = serde_json::from_slice(&text).context("this is no job")?;
    give_up(&job.limits)?;
    let answer = answer::answer(&job);
    std::io::stdout().lock().write_all(&answer).context("cannot write the answer")
}

/// Gives up resources that answering does not need: memory over the limit, time in case that the
/// server has died, and all files.
#[cfg(unix)]
fn give_up(limits: &Limits) -> Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let most = |count: u64| Rlimit { current: Some(count), maximum: Some(count) };
    let refused = "the system refuses a limit";
    setrlimit(Resource::Cpu, most(limits.seconds + 1)).context(refused)?;
    setrlimit(Resource::Core, most(0)).context(refused)?;
    setrlimit(Resource::Fsize, most(0)).context(refused)?;
    // Open files stay open; nothing more can be opened, neither a file nor a connection.
    setrlimit(Resource::Nofile, most(0)).context(refused)?;
    // Not all systems have this one.
    let _ = setrlimit(Resource::As, most(limits.memory << 20));
    Ok(())
}

/// There are no such limits: the time limit and the withheld rights have to do.
#[cfg(not(unix))]
fn give_up(_: &Limits) -> Result<()> {
    Ok(())
}
