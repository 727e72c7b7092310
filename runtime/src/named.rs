//! Enumerations whose values have names: on the command line, in study files and in Python.

/// An enumeration whose values have names.
pub trait Named: Copy + Eq + Send + Sync + 'static {
    /// Each value with its name and a line of help.
    const VALUES: &'static [(Self, &'static str, &'static str)];

    /// The names with their lines of help.
    fn described() -> Vec<(&'static str, &'static str)> {
        Self::VALUES.iter().map(|&(_, name, help)| (name, help)).collect()
    }

    /// The names in a sentence: `a, b, c`.
    fn names() -> String {
        Self::VALUES.iter().map(|&(_, name, _)| name).collect::<Vec<_>>().join(", ")
    }

    /// The value of a name.
    ///
    /// # Errors
    /// No value has this name.
    fn read(name: &str) -> Result<Self, String> {
        let found = Self::VALUES.iter().find(|(_, known, _)| *known == name);
        found
            .map(|&(value, ..)| value)
            .ok_or_else(|| format!("`{name}` is none of {}", Self::names()))
    }

    /// The value's name.
    fn name(self) -> &'static str {
        let found = Self::VALUES.iter().find(|(value, ..)| *value == self);
        found.map_or("", |&(_, name, _)| name)
    }
}

/// Defines an enumeration with names: after each value its name and its line of help, which is also its documentation.
macro_rules! named {
    ($(#[$meta:meta])* pub enum $name:ident { $($value:ident $text:literal $help:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name {
            $(#[doc = $help] $value,)+
        }

        impl $crate::named::Named for $name {
            const VALUES: &'static [(Self, &'static str, &'static str)] =
                &[$((Self::$value, $text, $help),)+];
        }
    };
}

pub(crate) use named;
