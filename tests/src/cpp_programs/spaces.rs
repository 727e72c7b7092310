//! Namespaces: names that hide others, `using`, and lookup by the classes of arguments.

use super::world::World;

/// Functions, variables and types of the same names in nested namespaces, and uses of them.
pub fn lookup(world: &mut World) {
    let number = world.fresh();
    let (outer, inner, other) = (format!("A{number}"), format!("B{number}"), format!("C{number}"));
    let names: Vec<String> = (0..3).map(|index| format!("q{number}_{index}")).collect();
    let mut tag = 0;
    let places = ["", &outer, &format!("{outer}::{inner}"), &other].map(str::to_owned);
    for _ in 0..5 + world.random.below(8) {
        tag += 1;
        let place = places[world.random.below(places.len())].clone();
        let name = names[world.random.below(names.len())].clone();
        let text = entity(world, &name, tag);
        world.caller(inside(&place, &text));
        if world.random.chance(35) {
            let user = format!("u{number}_{tag}");
            caller(world, &places, &names, &user);
        }
    }
    for place in &places {
        for name in &names {
            let start = if place.is_empty() { "::".to_owned() } else { format!("{place}::") };
            world.probe(&format!("{start}{name}"));
            let value = world.argument();
            world.probe(&format!("{start}{name}({value})"));
        }
    }
    directives(world, &places, &names);
}

/// A declaration of a name.
fn entity(world: &mut World, name: &str, tag: usize) -> String {
    let ty = world.sample().ty;
    match world.random.below(8) {
        0 | 1 => format!("static const int {name} = {tag};"),
        2..=5 => format!("inline int {name}({ty}) {{ return {tag}; }}"),
        6 => format!("template <class T> int {name}(T) {{ return {tag}; }}"),
        _ => format!(
            "struct {name} {{ int v; {name}(int = 0) : v({tag}) {{}} operator int() const {{ return v; }} }};"
        ),
    }
}

/// A declaration inside a namespace, which may be none.
fn inside(place: &str, text: &str) -> String {
    match place {
        "" => text.to_owned(),
        place => format!("namespace {place} {{ {text} }}"),
    }
}

/// A function in a namespace that uses names, and a probe that calls it.
fn caller(world: &mut World, places: &[String], names: &[String], user: &str) {
    let place = places[world.random.below(places.len())].clone();
    let name = &names[world.random.below(names.len())];
    let value = world.argument();
    let body = match world.random.below(5) {
        0 => format!("return {name};"),
        1 => format!("int {name} = 500; return {name};"),
        2 => {
            let from = &places[1 + world.random.below(places.len() - 1)];
            format!("using namespace {from}; return {name}({value});")
        }
        3 => {
            let from = &places[1 + world.random.below(places.len() - 1)];
            format!("using {from}::{name}; return {name}({value});")
        }
        _ => format!("return {name}({value});"),
    };
    world.caller(inside(&place, &format!("inline int {user}() {{ {body} }}")));
    let start = if place.is_empty() { String::new() } else { format!("{place}::") };
    world.probe(&format!("{start}{user}()"));
}

/// Blocks with `using` and local names.
fn directives(world: &mut World, places: &[String], names: &[String]) {
    for _ in 0..6 {
        let name = &names[world.random.below(names.len())];
        let value = world.argument();
        let from = &places[1 + world.random.below(places.len() - 1)];
        let second = &places[1 + world.random.below(places.len() - 1)];
        let call = match world.random.chance(60) {
            true => format!("printf(\"%d\\n\", (int){name}({value}));"),
            false => format!("printf(\"%d\\n\", (int){name});"),
        };
        let statements = match world.random.below(5) {
            0 => format!("using namespace {from}; {call}"),
            1 => format!("using {from}::{name}; {call}"),
            2 => format!("using namespace {from}; using namespace {second}; {call}"),
            3 => format!(
                "using namespace {from}; {{ int {name} = 3; {name} += 1; printf(\"%d\\n\", {name}); }} {call}"
            ),
            _ => format!(
                "namespace short_name = {from}; printf(\"%d\\n\", (int)short_name::{name}({value}));"
            ),
        };
        world.block(&statements);
    }
}

/// Functions that are found by the namespaces of their arguments' classes.
pub fn associated(world: &mut World) {
    let number = world.fresh();
    let space = format!("D{number}");
    let name = format!("r{number}");
    let local = world.sample().ty;
    world.declare(format!(
        "namespace {space} {{ struct key {{ int v; key(int n = 2) : v(n) {{}} friend int {name}_f(const key &k) {{ return k.v + 30; }} }}; \
         enum mode {{ on, off }}; template <class T> struct of {{ T t; }}; \
         inline int {name}(key) {{ return 1; }} inline int {name}(mode) {{ return 2; }} \
         template <class T> int {name}(of<T>) {{ return 3; }} \
         inline int operator+(key a, key b) {{ return a.v * b.v; }} \
         inline int operator!(mode) {{ return 9; }} }}"
    ));
    if world.random.chance(60) {
        world.declare(format!("int {name}({local}) {{ return 4; }}"));
    }
    if world.random.chance(40) {
        world.declare(format!("template <class T> int {name}(T) {{ return 5; }}"));
    }
    world.caller(format!("template <class T> int {name}_call(T t) {{ return {name}(t); }}"));
    if world.random.chance(50) {
        world.declare(format!("namespace {space} {{ inline int {name}(key *) {{ return 6; }} }}"));
    }
    let values = [
        format!("{space}::key(4)"),
        format!("{space}::on"),
        format!("{space}::of<int>()"),
        format!("{space}::of<{space}::key *>()"),
        format!("({space}::key *)0"),
    ];
    for value in &values {
        world.probe(&format!("{name}({value})"));
        world.probe(&format!("{name}_call({value})"));
        world.probe(&format!("({name})({value})"));
    }
    let other = world.argument();
    world.probe(&format!("{name}({other})"));
    world.probe(&format!("{name}_call({other})"));
    world.probe(&format!("{name}_f({space}::key(5))"));
    world.probe(&format!("{space}::key(5) + 6"));
    world.probe(&format!("!{space}::off"));
}
