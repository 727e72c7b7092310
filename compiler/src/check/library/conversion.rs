//! The conversions of the formats of `printf` and `scanf`.

/// The conversions of a format as they are written, each from its `%` on, and the position of each
/// one's letter. `head` has the characters between the two; `end` returns the end of the conversion
/// with the letter at a position of the text.
pub(super) fn conversions<'a>(
    format: &'a [u8],
    head: &'a [u8],
    end: impl Fn(&[u8], usize) -> usize + 'a,
) -> impl Iterator<Item = (&'a [u8], usize)> + 'a {
    let mut rest = format;
    std::iter::from_fn(move || {
        let start = rest.iter().position(|&byte| byte == b'%')?;
        let text = &rest[start..];
        let letter = 1 + text[1..].iter().take_while(|byte| head.contains(byte)).count();
        let (text, behind) = text.split_at(end(text, letter).min(text.len()));
        rest = behind;
        Some((text, letter))
    })
}
