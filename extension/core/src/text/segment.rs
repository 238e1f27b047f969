//! Where the words are.
//!
//! The boundaries are those of Unicode (UAX #29) for words of letters and
//! marks. Beyond them, characters that connect (`.`, `-`, `_`, `/`, `@` …) keep
//! together what people write as one thing, and scripts that need their own
//! treatment are told apart. One pass, no looking back.

use std::borrow::Cow;

use unicode_normalization::char::is_combining_mark;

use super::compound::{self, Atom, Compound};
use super::fold::{is_emoji, is_skin_tone};
use super::language::Script;

/// One thing that a text says, before stems and weights.
#[derive(Debug, PartialEq)]
pub(crate) enum Token<'a> {
    /// A single word or number.
    Atom(Atom<'a>),
    /// Something that is asked for as a whole or by its parts.
    Compound(Compound<'a>),
    /// Ideographs and kana, or Thai, Lao, Khmer or Myanmar.
    Run(&'a str),
    /// A Korean word, maybe with particles.
    Hangul(&'a str),
    /// The digits of a number that was written in groups, such as a phone
    /// number; the groups are tokens as well.
    Grouped(String),
}

#[derive(Clone, Copy, PartialEq)]
enum Class {
    Letter,
    Connector,
    Run,
    Spaceless,
    Hangul,
    Emoji,
    Break,
}

fn class(c: char) -> Class {
    match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' => Class::Letter,
        '.' | '_' | '-' | '/' | ':' | '@' | '#' | '+' | '\'' | '&' | '\\' | ',' => Class::Connector,
        '\0'..='\u{7f}' => Class::Break,
        '\u{2044}' => Class::Connector,
        c if is_emoji(c) => Class::Emoji,
        c if c.is_alphanumeric() || is_combining_mark(c) => match Script::of(c) {
            Script::Ideographic => Class::Run,
            Script::Spaceless => Class::Spaceless,
            Script::Hangul => Class::Hangul,
            _ => Class::Letter,
        },
        _ => Class::Break,
    }
}

fn char_at(text: &str, at: usize) -> Option<char> {
    text[at..].chars().next()
}

fn class_at(text: &str, at: usize) -> Class {
    char_at(text, at).map_or(Class::Break, class)
}

/// Calls `sink` with the tokens of a prepared text, in order.
pub(crate) fn segment<'a>(text: &'a str, mut sink: impl FnMut(Token<'a>)) {
    let mut groups = DigitGroups::default();
    let mut at = 0;
    while let Some(c) = char_at(text, at) {
        let start = at;
        let class = class(c);
        at += c.len_utf8();
        match class {
            Class::Break => {}
            // A mark with nothing to stand on.
            _ if is_combining_mark(c) => {}
            Class::Connector => {
                let prefix = matches!(c, '#' | '@' | '.');
                if prefix && class_at(text, at) == Class::Letter && !follows_word(text, start) {
                    let end = piece_end(text, at);
                    sink(compound::prefixed(&text[start..end], &text[at..end]));
                    at = end;
                }
            }
            Class::Letter => {
                at =
                    if is_url(text, start) { url_end(text, start) } else { piece_end(text, start) };
                let piece = &text[start..at];
                if let Some(number) = groups.take(text, start, at) {
                    sink(Token::Grouped(number));
                }
                if is_word(piece) {
                    if let Some(signs) = trailing_signs(piece, &text[at..]) {
                        sink(compound::suffixed(&text[start..at + signs], piece));
                        at += signs;
                    } else {
                        sink(Token::Atom(Atom::Word(Cow::Borrowed(piece))));
                    }
                } else {
                    compound::take_apart(piece, &mut sink);
                }
            }
            Class::Run | Class::Spaceless | Class::Hangul => {
                while class_at(text, at) == class
                    || char_at(text, at).is_some_and(is_combining_mark)
                {
                    at += char_at(text, at).map_or(1, char::len_utf8);
                }
                let run = &text[start..at];
                sink(if class == Class::Hangul { Token::Hangul(run) } else { Token::Run(run) });
            }
            Class::Emoji => {
                let (emoji, end) = emoji(text, start);
                at = end;
                sink(Token::Atom(Atom::Literal(emoji)));
            }
        }
    }
    if let Some(number) = groups.flush() {
        sink(Token::Grouped(number));
    }
}

fn follows_word(text: &str, at: usize) -> bool {
    let previous = text[..at].chars().next_back();
    previous.is_some_and(|c| matches!(class(c), Class::Letter | Class::Connector))
}

/// Whether a piece is a word of ASCII letters without an inner capital, which
/// most are, and which needs no further look.
fn is_word(piece: &str) -> bool {
    let bytes = piece.as_bytes();
    let rest = bytes.get(1..).unwrap_or_default();
    bytes.iter().all(u8::is_ascii_alphabetic)
        && (rest.iter().all(u8::is_ascii_lowercase) || rest.iter().all(u8::is_ascii_uppercase))
}

/// The end of letters, digits and single connectors between them.
fn piece_end(text: &str, start: usize) -> usize {
    let mut at = start;
    let mut previous = ' ';
    while let Some(c) = char_at(text, at) {
        match class(c) {
            Class::Letter => {}
            Class::Connector => {
                let mut next = at + c.len_utf8();
                // `std::fs`, `C:\Users`
                if c == ':' && matches!(char_at(text, next), Some(':' | '\\')) {
                    next += 1;
                }
                let Some(after) = char_at(text, next) else { break };
                if class(after) != Class::Letter || is_combining_mark(after) {
                    break;
                }
                if c == ',' && !(previous.is_ascii_digit() && after.is_ascii_digit()) {
                    break;
                }
                at = next;
                previous = c;
                continue;
            }
            _ => break,
        }
        previous = c;
        at += c.len_utf8();
    }
    at
}

/// `C++`, `C#`, `F#`, `A+`: signs that belong to the name before them.
fn trailing_signs(word: &str, rest: &str) -> Option<usize> {
    let signs = rest.bytes().take_while(|b| matches!(b, b'+' | b'#')).count();
    let length = match (signs, word.len()) {
        (1, 1) | (2, 1..=12) => signs,
        _ => return None,
    };
    (class_at(rest, length) != Class::Letter).then_some(length)
}

fn is_url(text: &str, start: usize) -> bool {
    let rest = &text.as_bytes()[start..];
    let has =
        |prefix: &[u8]| rest.get(..prefix.len()).is_some_and(|r| r.eq_ignore_ascii_case(prefix));
    matches!(rest[0], b'h' | b'H' | b'f' | b'F' | b'w' | b'W')
        && (has(b"http://") || has(b"https://") || has(b"ftp://") || has(b"www."))
}

/// The end of a URL: white space, a quote or a bracket, or a letter that
/// nobody writes into one; less the punctuation of the sentence around it.
fn url_end(text: &str, start: usize) -> usize {
    let rest = &text[start..];
    let stop = |c: char| {
        c.is_whitespace()
            || matches!(c, '<' | '>' | '"' | '{' | '}' | '|' | '`' | '^' | ')' | ']')
            || matches!(class(c), Class::Run | Class::Spaceless | Class::Hangul | Class::Emoji)
            || (!c.is_ascii() && class(c) == Class::Break)
    };
    let end = rest.find(stop).unwrap_or(rest.len());
    start + rest[..end].trim_end_matches(|c: char| c.is_ascii_punctuation()).len()
}

/// An emoji with what is joined to it, less its skin tones, and its end.
fn emoji(text: &str, start: usize) -> (String, usize) {
    let regional = |c: char| matches!(c, '\u{1f1e6}'..='\u{1f1ff}');
    let mut emoji = String::new();
    let mut at = start;
    let mut joined = true;
    let mut flag = false;
    while let Some(c) = char_at(text, at) {
        match c {
            '\u{200d}' => joined = true,
            c if is_skin_tone(c) => {
                at += c.len_utf8();
                continue;
            }
            '\u{e0020}'..='\u{e007f}' => {}
            c if is_emoji(c) && (joined || (flag && regional(c))) => {
                flag = !flag && regional(c);
                joined = false;
            }
            _ => break,
        }
        emoji.push(c);
        at += c.len_utf8();
    }
    (emoji, at)
}

/// Groups of digits that stand beside each other: `+47 912 34 567`.
#[derive(Default)]
struct DigitGroups {
    digits: String,
    groups: usize,
    end: usize,
}

impl DigitGroups {
    /// Takes in one piece; returns the number that ended before it, if one did.
    fn take(&mut self, text: &str, start: usize, end: usize) -> Option<String> {
        let piece = &text[start..end];
        let is_group = piece.len() <= 15 && piece.bytes().all(|b| b.is_ascii_digit() || b == b'-');
        let gap = &text.as_bytes()[self.end.min(start)..start];
        let near = gap.len() <= 3 && gap.iter().all(|b| b" ()+-/.".contains(b));
        let ended = if is_group && near { None } else { self.flush() };
        if is_group && self.digits.len() <= 15 {
            self.digits.extend(piece.chars().filter(char::is_ascii_digit));
            self.groups += 1;
        }
        self.end = end;
        ended
    }

    fn flush(&mut self) -> Option<String> {
        let digits = std::mem::take(&mut self.digits);
        let groups = std::mem::take(&mut self.groups);
        (groups > 1 && (7..=15).contains(&digits.len())).then_some(digits)
    }
}
