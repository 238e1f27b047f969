//! Things that are one word and several: addresses, paths, versions,
//! identifiers, hyphenated words, numbers, words with an apostrophe.
//!
//! Each has a form of the whole and its parts, in documents and in questions
//! alike. Hyphens, underscores and apostrophes fall out of the whole, so that
//! `e-mail` is `email` and `camelCase` is `camel_case`; other connectors stay.

use std::borrow::Cow;

use super::fold::fold;
use super::segment::Token;

/// A word that may be stemmed, or a term that is kept as it is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Atom<'a> {
    Word(Cow<'a, str>),
    Literal(String),
}

/// A whole and its parts. The parts are in reading order and may be parts of
/// each other (`example.com`, `example`, `com`).
#[derive(Debug, PartialEq)]
pub(crate) struct Compound<'a> {
    pub(crate) whole: Atom<'a>,
    pub(crate) parts: Vec<Atom<'a>>,
    /// How many words a reader would count.
    pub(crate) words: u32,
}

/// `#42`, `@anna`, `.net`: a sign and a name.
pub(crate) fn prefixed<'a>(whole: &'a str, name: &'a str) -> Token<'a> {
    let mut parts = Parts::default();
    let outer = name.split(is_outer).filter(|s| !s.is_empty());
    outer.for_each(|part| parts.dotted(part, true));
    Token::Compound(parts.under(Atom::Literal(fold(whole))))
}

/// `C++`, `C#`: a name and signs.
pub(crate) fn suffixed<'a>(whole: &'a str, name: &'a str) -> Token<'a> {
    Token::Compound(Compound {
        whole: Atom::Literal(fold(whole)),
        parts: vec![Atom::Word(Cow::Borrowed(name))],
        words: 1,
    })
}

/// Any piece of letters, digits and connectors.
pub(crate) fn take_apart<'a>(piece: &'a str, sink: &mut impl FnMut(Token<'a>)) {
    let piece = without_possessive(piece);
    if piece.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b',' | b'\'')) {
        return number(piece, sink);
    }
    if piece.contains(',') {
        // A list without spaces: 1,2nd,3
        return piece.split(',').for_each(|part| take_apart(part, sink));
    }
    if let Some(word) = apostrophe(piece) {
        return sink(Token::Atom(Atom::Word(word)));
    }
    if !is_composed(piece) {
        return sink(Token::Atom(Atom::Word(Cow::Borrowed(piece))));
    }
    let mut parts = Parts::default();
    let whole = if piece.contains("://") || starts_with_www(piece) {
        let address = address(piece);
        parts.add(address);
        Atom::Literal(fold(address))
    } else {
        parts.add(piece);
        joined(piece)
    };
    sink(Token::Compound(parts.under(whole)));
}

/// `Anna's` is about Anna; so is `I'm` about me, and `we'll` about us.
fn without_possessive(piece: &str) -> &str {
    for ending in ["'s", "'S", "'m", "'re", "'ve", "'ll", "'d", "'RE", "'VE", "'LL"] {
        if let Some(rest) = piece.strip_suffix(ending)
            && rest.chars().next_back().is_some_and(char::is_alphanumeric)
        {
            return rest;
        }
    }
    piece
}

/// The word of a piece with one apostrophe that is a contraction or an
/// elision: `don't` is a word, `l'été` is its second half. A capital after
/// the apostrophe (`O'Brien`, `L'Oréal`) is a name, which is a compound.
fn apostrophe(piece: &str) -> Option<Cow<'_, str>> {
    let (before, after) = piece.split_once('\'')?;
    let letters = |s: &str| !s.is_empty() && s.chars().all(char::is_alphabetic);
    if !letters(before) || !letters(after) {
        return None;
    }
    if after.eq_ignore_ascii_case("t") {
        return Some(Cow::Owned(format!("{before}{after}")));
    }
    let capital = after.chars().next().is_some_and(char::is_uppercase);
    let elided = ELISIONS.contains(&before.to_lowercase().as_str());
    (elided && !capital && after.chars().nth(1).is_some()).then_some(Cow::Borrowed(after))
}

/// What French, Italian and Catalan write before an apostrophe.
const ELISIONS: [&str; 26] = [
    "l", "d", "j", "m", "n", "s", "t", "c", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu", "un",
    "dell", "nell", "sull", "all", "dall", "gl", "quest", "quell", "bell", "sant", "com", "dov",
];

/// A number, with separators of thousands taken out.
fn number<'a>(piece: &'a str, sink: &mut impl FnMut(Token<'a>)) {
    let mut literal = |number: String| sink(Token::Atom(Atom::Literal(number)));
    if piece.bytes().all(|b| b.is_ascii_digit()) {
        return literal(piece.to_owned());
    }
    let grouped = |separator: char, whole: &str| {
        let mut groups = whole.split(separator);
        let first = groups.next().unwrap_or_default();
        let rest: Vec<&str> = groups.collect();
        (1..=3).contains(&first.len()) && !rest.is_empty() && rest.iter().all(|g| g.len() == 3)
    };
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    // 1,000  1,000.50  1'000
    let (whole, fraction) = piece.split_once('.').map_or((piece, None), |(w, f)| (w, Some(f)));
    if (grouped(',', whole) || grouped('\'', whole)) && fraction.is_none_or(digits) {
        let whole = whole.replace([',', '\''], "");
        return literal(fraction.map_or(whole.clone(), |f| format!("{whole}.{f}")));
    }
    // 1.000.000  1.000,50
    let (whole, fraction) = piece.split_once(',').map_or((piece, None), |(w, f)| (w, Some(f)));
    if grouped('.', whole) && (fraction.is_some_and(digits) || whole.matches('.').count() > 1) {
        let whole = whole.replace('.', "");
        return literal(fraction.map_or(whole.clone(), |f| format!("{whole}.{f}")));
    }
    // 1.000 is one or a thousand, depending on the country.
    if grouped('.', piece) {
        return sink(Token::Compound(Compound {
            whole: Atom::Literal(piece.to_owned()),
            parts: vec![Atom::Literal(piece.replace('.', ""))],
            words: 1,
        }));
    }
    // 3.5  3,5
    if let Some((whole, fraction)) = piece.split_once(['.', ','])
        && digits(whole)
        && digits(fraction)
    {
        return literal(format!("{whole}.{fraction}"));
    }
    // 1.2.3
    if !piece.contains([',', '\'']) {
        let mut parts = Parts::default();
        parts.add(piece);
        return sink(Token::Compound(parts.under(Atom::Literal(piece.to_owned()))));
    }
    // 1,2,3
    for part in piece.split([',', '\'']) {
        number(part, sink);
    }
}

/// Whether a piece has connectors, inner capitals or letters beside digits.
fn is_composed(piece: &str) -> bool {
    if piece.contains(|c| is_outer(c) || is_inner(c) || c == '.') {
        return true;
    }
    !piece.is_empty() && humps(piece).nth(1).is_some()
}

/// Connectors between things that are rather independent.
const fn is_outer(c: char) -> bool {
    matches!(
        c,
        '/' | ':'
            | '@'
            | '#'
            | '+'
            | '&'
            | '\\'
            | '?'
            | '='
            | '%'
            | ';'
            | ','
            | '~'
            | '!'
            | '$'
            | '('
            | '*'
            | '['
            | '\u{2044}'
    )
}

/// Connectors within one name.
const fn is_inner(c: char) -> bool {
    matches!(c, '-' | '_' | '\'')
}

fn starts_with_www(piece: &str) -> bool {
    piece.get(..4).is_some_and(|p| p.eq_ignore_ascii_case("www."))
}

/// A URL without what does not tell it from others.
fn address(piece: &str) -> &str {
    let rest = piece.split_once("://").map_or(piece, |(_, rest)| rest);
    if starts_with_www(rest) { &rest[4..] } else { rest }
}

/// The whole of a piece: without inner connectors, except between digits
/// (`3-1` is not 31), but dates and telephone numbers are long enough.
fn joined(piece: &str) -> Atom<'static> {
    let long = piece.bytes().filter(u8::is_ascii_digit).take(7).count() == 7;
    let mut whole = String::with_capacity(piece.len());
    let mut chars = piece.chars().peekable();
    let mut previous = ' ';
    while let Some(c) = chars.next() {
        let between_digits =
            previous.is_ascii_digit() && chars.peek().is_some_and(char::is_ascii_digit);
        if !is_inner(c) || (between_digits && !long) {
            whole.push(c);
        }
        previous = c;
    }
    if whole.chars().all(|c| c.is_alphabetic() || !c.is_ascii()) {
        Atom::Word(Cow::Owned(whole))
    } else {
        Atom::Literal(fold(&whole))
    }
}

/// Collects the parts of a compound from the outside in.
#[derive(Default)]
struct Parts<'a> {
    parts: Vec<Atom<'a>>,
    words: u32,
}

impl<'a> Parts<'a> {
    fn add(&mut self, piece: &'a str) {
        for outer in piece.split(is_outer).filter(|s| !s.is_empty()) {
            self.dotted(outer.trim_matches('.'), outer.len() < piece.len());
        }
    }

    /// `example.com`, `x.so`, `1.2.3`, `3.5kg`
    fn dotted(&mut self, piece: &'a str, is_part: bool) {
        if !piece.contains('.') {
            return self.inner(piece, is_part);
        }
        if is_part {
            self.parts.push(joined(piece));
        }
        // In a version a hyphen divides more than a dot: 2.0-rc1
        if piece.contains('-')
            && piece.trim_start_matches(['v', 'V']).starts_with(|c: char| c.is_ascii_digit())
        {
            return piece
                .split('-')
                .filter(|s| !s.is_empty())
                .for_each(|part| self.dotted(part, true));
        }
        // v1.2.3 is asked for as 1.2.3, 3.5kg as 3.5
        let bare = piece.trim_start_matches(['v', 'V']);
        let bare_end = bare.find(|c: char| c != '.' && !c.is_ascii_digit()).unwrap_or(bare.len());
        let number = bare[..bare_end].trim_end_matches('.');
        if number.len() < piece.len() && number.contains('.') {
            self.parts.push(Atom::Literal(number.to_owned()));
        }
        for part in piece.split('.').filter(|s| !s.is_empty()) {
            self.inner(part, true);
        }
    }

    /// `snake_case`, `well-known`, `O'Brien`
    fn inner(&mut self, piece: &'a str, is_part: bool) {
        if !piece.contains(is_inner) {
            return self.humps(piece, is_part);
        }
        if is_part {
            self.parts.push(joined(piece));
        }
        for part in piece.split(is_inner).filter(|s| !s.is_empty()) {
            self.humps(part, true);
        }
    }

    /// `camelCase`, `mp3`
    fn humps(&mut self, piece: &'a str, is_part: bool) {
        let before = self.parts.len();
        if is_part {
            self.leaf(piece);
        }
        if humps(piece).nth(1).is_some() {
            for hump in humps(piece) {
                self.leaf(hump);
            }
        }
        if self.parts.len() > before {
            self.words += 1;
        }
    }

    fn leaf(&mut self, part: &'a str) {
        if part.bytes().all(|b| b.is_ascii_digit()) {
            self.parts.push(Atom::Literal(part.to_owned()));
        } else if part.chars().nth(1).is_some() {
            // A letter by itself would be found everywhere.
            self.parts.push(Atom::Word(Cow::Borrowed(part)));
        }
    }

    fn under(self, whole: Atom<'a>) -> Compound<'a> {
        Compound { whole, parts: self.parts, words: self.words.max(1) }
    }
}

/// The parts of a name between a small letter and a capital, before the last
/// of several capitals, and between letters and digits.
fn humps(piece: &str) -> impl Iterator<Item = &str> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = &piece[start..];
        let mut chars = rest.char_indices().peekable();
        let (_, mut previous) = chars.next()?;
        while let Some((i, c)) = chars.next() {
            let digit_edge = previous.is_ascii_digit() != c.is_ascii_digit() && c.is_alphanumeric();
            let capital = c.is_uppercase()
                && (previous.is_lowercase()
                    // HTTPServer; but not the plural in PDFs
                    || (previous.is_uppercase()
                        && chars.peek().is_some_and(|(_, next)| next.is_lowercase())
                        && rest.len() > i + c.len_utf8() + 1));
            if digit_edge || capital {
                start += i;
                return Some(&rest[..i]);
            }
            previous = c;
        }
        start = piece.len();
        Some(rest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(piece: &str) -> Vec<String> {
        let text = |atom: &Atom<'_>| match atom {
            Atom::Word(word) => word.to_lowercase(),
            Atom::Literal(literal) => literal.clone(),
        };
        let mut out = Vec::new();
        super::super::segment::segment(piece, |token| match token {
            Token::Atom(atom) => out.push(text(&atom)),
            Token::Compound(compound) => {
                out.push(text(&compound.whole));
                out.extend(compound.parts.iter().map(text));
            }
            Token::Grouped(number) => out.push(number),
            Token::Run(run) | Token::Hangul(run) => out.push(run.to_owned()),
        });
        out
    }

    #[test]
    fn wholes_and_parts() {
        for (piece, terms) in [
            ("Anna's", "anna"),
            ("don't", "dont"),
            ("l'été", "été"),
            ("O'Brien", "obrien brien"),
            ("e-mail", "email mail"),
            ("well-known", "wellknown well known"),
            ("snake_case", "snakecase snake case"),
            ("camelCase", "camelcase camel case"),
            ("HTTPServer", "httpserver http server"),
            ("PDFs", "pdfs"),
            ("iPhone15", "iphone15 phone 15"),
            ("ABC-123", "abc123 abc 123"),
            ("v1.2.3", "v1.2.3 1.2.3 v1 1 2 3"),
            ("1.2.3", "1.2.3 1 2 3"),
            ("2.0-rc1", "2.0rc1 2.0 2 0 rc1 rc 1"),
            ("3.5", "3.5"),
            ("3,5", "3.5"),
            ("1,000", "1000"),
            ("1,234,567.89", "1234567.89"),
            ("1.234.567,89", "1234567.89"),
            ("1'000", "1000"),
            ("1.000", "1.000 1000"),
            ("1,2,3", "1 2 3"),
            ("2024-05-01", "20240501 2024 05 01"),
            ("3-1", "3-1 3 1"),
            ("192.168.0.1", "192.168.0.1 192 168 0 1"),
            ("10:30", "10:30 10 30"),
            ("C++", "c++ c"),
            ("C#", "c# c"),
            (".NET", ".net net"),
            ("#42", "#42 42"),
            ("@anna", "@anna anna"),
            ("/usr/lib/x.so", "usr/lib/x.so usr lib x.so so"),
            ("std::fs::read", "std::fs::read std fs read"),
            ("AT&T", "at&t at"),
            ("a.b@example.com", "a.b@example.com a.b example.com example com"),
            ("https://www.example.com/a?b=c1.", "example.com/a?b=c1 example.com example com c1 1"),
            ("+47 912 34 567", "47 912 34 567 4791234567"),
            ("Stop.", "stop"),
            ("wait...what", "wait what"),
            ("and/or", "and/or and or"),
        ] {
            let found = all(piece);
            assert_eq!(found.join(" "), terms, "{piece}");
        }
    }
}
