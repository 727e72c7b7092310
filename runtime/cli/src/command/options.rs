//! The library's named values and options of the compiler as arguments of clap.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser, ValueParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueHint};
use reconverge::build_arguments::{BuildArguments, BuildOption, Change, OPTIONS};
use reconverge::named::Named;
use std::ops::Deref;

/// Options of the preprocessor, the checker and the lowering.
#[derive(Clone, Debug)]
pub struct BuildOptions(pub BuildArguments);

impl Deref for BuildOptions {
    type Target = BuildArguments;

    fn deref(&self) -> &BuildArguments {
        &self.0
    }
}

impl Args for BuildOptions {
    fn augment_args(command: Command) -> Command {
        let plain = BuildArguments::default();
        command.args(OPTIONS.iter().map(|option| argument(option, &plain)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        BuildOptions::augment_args(command)
    }
}

impl FromArgMatches for BuildOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<BuildOptions, clap::Error> {
        let mut options = BuildOptions(BuildArguments::default());
        options.update_from_arg_matches(matches)?;
        Ok(options)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for option in OPTIONS {
            if option.value.is_none() {
                if matches.get_flag(option.name) {
                    let change = (option.read)("");
                    let wrong = |why| clap::Error::raw(ErrorKind::InvalidValue, why);
                    change.map_err(wrong)?(&mut self.0);
                }
                continue;
            }
            for change in matches.get_many::<Change>(option.name).into_iter().flatten() {
                change(&mut self.0);
            }
        }
        Ok(())
    }
}

/// An option of the compiler as an argument; `plain` holds the default values.
fn argument(option: &'static BuildOption, plain: &BuildArguments) -> Arg {
    let argument = Arg::new(option.name).help(option.help).help_heading("Compiler");
    let argument = match option.name.strip_prefix("--") {
        Some(long) => argument.long(long),
        None => argument.short(option.name.chars().nth(1)),
    };
    let Some(value) = option.value else {
        return argument.action(ArgAction::SetTrue);
    };
    let argument = argument.value_name(value).value_parser(parser(option));
    let argument = if value == "DIR" { argument.value_hint(ValueHint::AnyPath) } else { argument };
    if option.repeats {
        return argument.action(ArgAction::Append);
    }
    argument.action(ArgAction::Set).default_values((option.given)(plain))
}

fn parser(option: &'static BuildOption) -> ValueParser {
    let choices = (option.choices)();
    if choices.is_empty() {
        return ValueParser::new(|text: &str| (option.read)(text));
    }
    ValueParser::new(possible(choices).try_map(|text| (option.read)(&text)))
}

/// Accepts the names of an enumeration's values.
pub fn named<T: Named>() -> impl TypedValueParser<Value = T> {
    possible(T::described()).try_map(|name| T::read(&name))
}

fn possible(choices: Vec<(&'static str, &'static str)>) -> PossibleValuesParser {
    let value = |(name, help)| PossibleValue::new(name).help(help);
    PossibleValuesParser::new(choices.into_iter().map(value))
}
