//! Scripts that run a study on other machines: each point may run anywhere, and a last step makes the report of the
//! common store.

use crate::named::named;
use anyhow::{Result, ensure};

named! {
    /// The target of the script.
    pub enum Scheduler {
        Slurm "slurm" "A job array, and a job that waits for it",
        Snakemake "snakemake" "A Snakefile",
        Parallel "parallel" "A file of commands for GNU parallel",
    }
}

/// A run of the script.
#[derive(Clone, Debug)]
pub struct Job {
    /// This program.
    pub program: String,
    /// The study and the options that choose its points, each a word of the shell.
    pub words: Vec<String>,
    /// The folder of the report.
    pub out: String,
    /// The store that all share.
    pub store: String,
    /// The number of parts.
    pub shards: u64,
}

impl Job {
    fn command(&self, more: &str) -> String {
        let words: Vec<String> = [
            vec![self.program.clone(), "study".to_owned()],
            self.words.clone(),
            vec!["--out".to_owned(), self.out.clone(), "--store".to_owned(), self.store.clone()],
        ]
        .concat()
        .iter()
        .map(|word| quoted(word))
        .collect();
        format!("{}{more}", words.join(" "))
    }

    /// The script.
    ///
    /// # Errors
    /// There are more parts than an array may have.
    pub fn script(&self, scheduler: Scheduler) -> Result<String> {
        let last = self.shards - 1;
        ensure!(self.shards <= 10_000, "`--shards` is at most 10000");
        Ok(match scheduler {
            Scheduler::Slurm => format!(
                "#!/bin/bash\n\
                 # Submits the study as a job array, and a job that makes its report when all parts have ended:\n\
                 #   bash FILE [options of sbatch]\n\
                 set -euo pipefail\n\
                 array=$(sbatch --parsable \"$@\" --array=0-{last} --job-name=study --cpus-per-task=1 --wrap={})\n\
                 report=$(sbatch --parsable \"$@\" --dependency=afterany:\"${{array%%;*}}\" --job-name=study-report --cpus-per-task=1 --wrap={})\n\
                 echo \"array $array, report $report\"\n",
                quoted(&self.command(&format!(
                    " --jobs 1 --quiet --shard ${{SLURM_ARRAY_TASK_ID}}/{}",
                    self.shards
                ))),
                quoted(&self.command(" --jobs 1")),
            ),
            Scheduler::Parallel => {
                let line = |at: u64| {
                    self.command(&format!(" --jobs 1 --quiet --shard {at}/{}", self.shards)) + "\n"
                };
                format!(
                    "# parallel < FILE, then: {}\n{}",
                    self.command(""),
                    (0..self.shards).map(line).collect::<String>()
                )
            }
            Scheduler::Snakemake => {
                let part = self.command(&format!(
                    " --jobs 1 --quiet --shard {{wildcards.part}}/{}",
                    self.shards
                ));
                format!(
                    "# snakemake --snakefile FILE --cores N\n\
                     PARTS = range({})\n\n\
                     rule report:\n    \
                         input: expand({:?} + \"/part-{{part}}.done\", part=PARTS)\n    \
                         shell: {:?}\n\n\
                     rule part:\n    \
                         output: touch({:?} + \"/part-{{part}}.done\")\n    \
                         shell: {:?}\n",
                    self.shards,
                    self.store,
                    self.command(" --jobs 1"),
                    self.store,
                    part,
                )
            }
        })
    }
}

/// A word as the shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=:+,@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_shell() {
        assert_eq!(quoted("dual-path"), "dual-path");
        assert_eq!(quoted("dual path, it's"), "'dual path, it'\\''s'");
        assert_eq!(quoted(""), "''");
    }
}
