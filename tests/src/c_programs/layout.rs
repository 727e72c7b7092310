//! Programs of structures and unions: their sizes, where their members are, copies.

use super::types::{Ty, any};
use crate::generate::Random;
use std::fmt::Write;

struct Member {
    /// As it is used: `a`, `b[1]`, `c.d`.
    path: String,
    ty: Ty,
}

struct Structure {
    name: String,
    /// Members by the names of `offsetof`.
    names: Vec<String>,
    scalars: Vec<Member>,
    is_union: bool,
}

pub fn program(random: &mut Random, seed: u64, outside: &mut String, body: &mut String) {
    let mut known: Vec<Structure> = Vec::new();
    for number in 0..1 + random.below(4) {
        let found = structure(random, &format!("type_{seed}_{number}"), &known, outside);
        known.push(found);
    }
    for found in &known {
        describe(found, body);
        use_it(random, found, outside, body);
    }
}

fn structure(
    random: &mut Random,
    name: &str,
    known: &[Structure],
    outside: &mut String,
) -> Structure {
    let is_union = random.chance(25);
    let word = if is_union { "union" } else { "struct" };
    let mut found = Structure {
        name: format!("{word} {name}"),
        names: Vec::new(),
        scalars: Vec::new(),
        is_union,
    };
    let _ = writeln!(outside, "{word} {name} {{");
    for index in 0..1 + random.below(6) {
        let member = format!("m{index}");
        let inner = (!known.is_empty() && random.chance(25)).then(|| random.below(known.len()));
        if let Some(inner) = inner.map(|at| &known[at]) {
            let _ = writeln!(outside, "{} {member};", inner.name);
            let path = |one: &Member| Member { path: format!("{member}.{}", one.path), ty: one.ty };
            // Only the first member of a union is compared.
            let most = if inner.is_union { 1 } else { usize::MAX };
            found.scalars.extend(inner.scalars.iter().take(most).map(path));
        } else {
            let (ty_name, ty) = any(random);
            match random.below(5) {
                0 => {
                    let length = 1 + random.below(5);
                    let _ = writeln!(outside, "{ty_name} {member}[{length}];");
                    let last = format!("{member}[{}]", length - 1);
                    found.scalars.push(Member { path: last, ty });
                }
                1 => {
                    let _ = writeln!(outside, "{ty_name} *{member};");
                }
                _ => {
                    let _ = writeln!(outside, "{ty_name} {member};");
                    found.scalars.push(Member { path: member.clone(), ty });
                }
            }
        }
        found.names.push(member);
    }
    let _ = writeln!(outside, "}};");
    found
}

fn describe(found: &Structure, body: &mut String) {
    let name = &found.name;
    let _ = writeln!(body, "printf(\"%d\\n\", (int)sizeof({name}));");
    for member in &found.names {
        let _ = writeln!(
            body,
            "printf(\"%d %d\\n\", (int)offsetof({name}, {member}), (int)sizeof((({name} *)0)->{member}));"
        );
    }
    let _ = writeln!(
        body,
        "{{ {name} two[2]; printf(\"%d\\n\", (int)((char *)&two[1] - (char *)&two[0])); }}"
    );
}

/// Objects that are filled, copied, and passed to a function that changes its copy.
fn use_it(random: &mut Random, found: &Structure, outside: &mut String, body: &mut String) {
    if found.scalars.is_empty() {
        return;
    }
    let members = match found.is_union {
        true => &found.scalars[..1],
        false => &found.scalars[..],
    };
    let name = &found.name;
    let function = name.replace(' ', "_");
    let changed = &members[random.below(members.len())].path;
    let _ = writeln!(
        outside,
        "static {name} change_{function}({name} x) {{ x.{changed} = x.{changed} * 2 + 1; return x; }}"
    );
    let _ = writeln!(body, "{{ {name} a, b, *p = &b;\nmemset(&a, 0, sizeof a);");
    for member in members {
        let value = random.below(256) as i64 - if member.ty == Ty::Bool { 0 } else { 128 };
        let _ = writeln!(body, "a.{} = {value};", member.path);
    }
    let _ = writeln!(body, "b = change_{function}(a);");
    for member in members {
        *body += &member.ty.print(&format!("a.{}", member.path));
        *body += &member.ty.print(&format!("p->{}", member.path));
    }
    *body += "}\n";
}
