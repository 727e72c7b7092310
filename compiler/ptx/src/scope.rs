//! Names and what they stand for, by the scopes of `{}`.

use crate::Text;
use std::collections::HashMap;

/// The names of a scope. Registers that are declared in numbers stand together: `%r<5>` is one entry.
#[derive(Clone, Debug)]
struct Scope<T> {
    names: HashMap<Text, T>,
    ranges: HashMap<Text, (u64, T)>,
}

/// Scopes, the innermost last.
#[derive(Clone, Debug)]
pub struct Scopes<T> {
    scopes: Vec<Scope<T>>,
}

impl<T> Default for Scopes<T> {
    fn default() -> Scopes<T> {
        let mut scopes = Scopes { scopes: Vec::new() };
        scopes.open();
        scopes
    }
}

impl<T> Scopes<T> {
    /// Opens a scope.
    pub fn open(&mut self) {
        self.scopes.push(Scope { names: HashMap::new(), ranges: HashMap::new() });
    }

    /// Closes the innermost scope.
    pub fn close(&mut self) {
        self.scopes.pop();
    }

    /// Takes all scopes but the outermost away, as a function that is called sees none of its caller's.
    pub fn set_aside(&mut self) -> Vec<SetAside<T>> {
        self.scopes.drain(1..).map(SetAside).collect()
    }

    /// Puts scopes back.
    pub fn restore(&mut self, scopes: Vec<SetAside<T>>) {
        self.scopes.truncate(1);
        self.scopes.extend(scopes.into_iter().map(|SetAside(scope)| scope));
    }

    /// Declares a name, or with a count that many numbered ones, in the innermost scope. False if the scope has it already.
    pub fn declare(&mut self, name: &Text, count: Option<u64>, value: T) -> bool {
        let Some(scope) = self.scopes.last_mut() else {
            return false;
        };
        match count {
            None => scope.names.insert(name.clone(), value).is_none(),
            Some(count) => scope.ranges.insert(name.clone(), (count, value)).is_none(),
        }
    }

    /// The meaning of a name, and its number if it is one of several.
    pub fn find(&self, name: &str) -> Option<(&T, u64)> {
        let (prefix, number) = numbered(name);
        self.scopes.iter().rev().find_map(|scope| {
            if let Some(found) = scope.names.get(name) {
                return Some((found, 0));
            }
            let number = number?;
            let (count, found) = scope.ranges.get(prefix)?;
            (number < *count).then_some((found, number))
        })
    }
}

/// A scope that was taken away for a while.
#[derive(Debug)]
pub struct SetAside<T>(Scope<T>);

/// A name without the number at its end, and the number; it has no zeroes in front.
fn numbered(name: &str) -> (&str, Option<u64>) {
    let prefix = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let digits = &name[prefix.len()..];
    let is_number = digits == "0" || !digits.starts_with('0');
    (prefix, digits.parse().ok().filter(|_| is_number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_names_hide_outer_ones() {
        let mut scopes = Scopes::default();
        assert!(scopes.declare(&"%r".into(), Some(3), 1));
        assert!(scopes.declare(&"x".into(), None, 2));
        scopes.open();
        assert!(scopes.declare(&"%r1".into(), None, 3));
        assert_eq!(scopes.find("%r1"), Some((&3, 0)));
        assert_eq!(scopes.find("%r2"), Some((&1, 2)));
        assert_eq!(scopes.find("%r3"), None);
        assert_eq!(scopes.find("%r02"), None);
        scopes.close();
        assert_eq!(scopes.find("%r1"), Some((&1, 1)));
        assert!(!scopes.declare(&"x".into(), None, 4));
    }
}
