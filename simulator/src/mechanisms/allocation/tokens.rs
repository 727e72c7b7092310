//! Tokens: warps that hold one may evict any line of a cache, others only lines of their kind.

use crate::handles::WarpSlot;
use std::collections::BTreeMap;

use super::sampling::Sampling;
use super::slot::{Allocation, CacheShape, Level, LineAccess, Properties, Requester, Token};
use crate::mechanisms::event::{Event, EventSet};
use crate::mechanisms::replacement::Ways;

/// The distribution of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    /// Warps of each scheduler that hold a token of the first level: the oldest.
    pub(super) tokens: u32,
    /// The next oldest, which hold one of the second.
    pub(super) l2_tokens: u32,
    /// Warps of each scheduler that run; nothing for all.
    pub(super) warps: Option<u32>,
}

/// The contents of a way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Held {
    #[default]
    Nothing,
    /// A line that an access without this cache's token has placed.
    Unprotected,
    /// A line that one with a token has placed.
    Protected,
}

/// The allocation of a cache.
pub(super) struct Tokens {
    choice: Choice,
    /// The choices that are tried at run time; empty if `choice` stays.
    choices: Vec<Choice>,
    sampling: Option<Sampling>,
    /// The token that counts in this cache.
    token: Token,
    ways: usize,
    /// By set and way.
    lines: Vec<Held>,
    /// By scheduler: its warps that have not ended, with the age of each, the oldest first.
    warps: BTreeMap<u16, Vec<(u64, WarpSlot)>>,
    /// By hardware warp: its token.
    tokens: Vec<Token>,
}

impl Tokens {
    /// With one choice, or with several that are tried.
    pub(super) fn new(
        choice: Choice,
        choices: Vec<Choice>,
        sampling: Option<Sampling>,
        shape: CacheShape,
    ) -> Tokens {
        let token = match shape.level {
            Level::First => Token::First,
            Level::Second => Token::Second,
        };
        Tokens {
            choice,
            choices,
            sampling,
            token,
            ways: shape.ways,
            lines: vec![Held::Nothing; shape.sets * shape.ways],
            warps: BTreeMap::new(),
            tokens: Vec::new(),
        }
    }

    fn has_token(&self, by: &Requester) -> bool {
        by.token == self.token
    }

    fn set(&self, set: usize) -> &[Held] {
        &self.lines[set * self.ways..(set + 1) * self.ways]
    }

    /// The oldest warps of a scheduler hold the tokens of the first level, the next ones those of the second.
    fn hand_out(&mut self, scheduler: u16) {
        let first = self.choice.tokens as usize;
        let second = first + self.choice.l2_tokens as usize;
        for (place, (_, warp)) in self.warps.get(&scheduler).into_iter().flatten().enumerate() {
            let token = match place {
                place if place < first => Token::First,
                place if place < second => Token::Second,
                _ => Token::None,
            };
            let warp = warp.index();
            if self.tokens.len() <= warp {
                self.tokens.resize(warp + 1, Token::None);
            }
            self.tokens[warp] = token;
        }
    }

    /// A warp starts.
    fn start(&mut self, warp: WarpSlot, scheduler: u16, age: u64) {
        let warps = self.warps.entry(scheduler).or_default();
        let place = warps.partition_point(|(other, _)| *other < age);
        warps.insert(place, (age, warp));
        self.hand_out(scheduler);
    }

    /// All threads of a warp have ended.
    fn end(&mut self, warp: WarpSlot) {
        if let Some(token) = self.tokens.get_mut(warp.index()) {
            *token = Token::None;
        }
        let found = self.warps.iter_mut().find_map(|(scheduler, warps)| {
            let place = warps.iter().position(|(_, other)| *other == warp)?;
            warps.remove(place);
            Some(*scheduler)
        });
        if let Some(scheduler) = found {
            self.hand_out(scheduler);
        }
    }

    /// Sets the choice to use from now on.
    fn choose(&mut self, choice: usize) {
        let Some(choice) = self.choices.get(choice).copied() else {
            return;
        };
        if self.choice == choice {
            return;
        }
        self.choice = choice;
        let schedulers: Vec<u16> = self.warps.keys().copied().collect();
        schedulers.into_iter().for_each(|scheduler| self.hand_out(scheduler));
    }
}

impl Allocation for Tokens {
    fn properties(&self) -> Properties {
        let mut choices = self.choices.iter().chain([&self.choice]);
        let limits_warps = choices.any(|choice| choice.warps.is_some());
        Properties { limits_warps, sampling: self.sampling, ..Properties::default() }
    }

    fn events(&self) -> EventSet {
        EventSet::LINE_PLACED
            .and(EventSet::LINE_DROPPED)
            .and(EventSet::WARP_ARRIVED)
            .and(EventSet::THREADS_ENDED)
            .and(EventSet::CHOICE_MADE)
    }

    fn on_event(&mut self, event: &Event) {
        match *event {
            Event::LinePlaced { access, way } => {
                let held = match self.has_token(&access.requester) {
                    true => Held::Protected,
                    false => Held::Unprotected,
                };
                self.lines[access.set * self.ways + way] = held;
            }
            Event::LineDropped { set, way } => self.lines[set * self.ways + way] = Held::Nothing,
            Event::WarpArrived { warp, scheduler, age, .. } => self.start(warp, scheduler, age),
            Event::ThreadsEnded { warp, .. } => self.end(warp),
            Event::ChoiceMade { choice } => self.choose(choice),
            _ => {}
        }
    }

    fn allocates(&mut self, access: &LineAccess, has_way: bool) -> bool {
        let set = self.set(access.set);
        let protected = set.iter().filter(|held| **held == Held::Protected).count();
        // If nothing is protected, it waits for a way, as without tokens.
        self.has_token(&access.requester) || protected == 0 || has_way && protected < set.len()
    }

    fn victims(&self, access: &LineAccess, mut ways: Ways) -> Ways {
        if !self.has_token(&access.requester) {
            let set = self.set(access.set);
            ways.retain(|way| set[way] != Held::Protected);
        }
        ways
    }

    fn takes_over(&self, by: &Requester, first: &Requester) -> bool {
        self.has_token(by) && !self.has_token(first)
    }

    fn token(&self, warp: WarpSlot) -> Token {
        self.tokens.get(warp.index()).copied().unwrap_or_default()
    }

    fn warp_limit(&self) -> u32 {
        self.choice.warps.unwrap_or(u32::MAX)
    }
}
