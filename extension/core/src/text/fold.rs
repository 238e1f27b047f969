//! Characters: what is the same for a search, and what for an equality test.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{decompose_canonical, is_combining_mark};

use super::language::{Language, Script};

/// Longest term in characters; a longer one is cut by [`cut`].
pub(crate) const MAX_TERM_CHARS: usize = 64;

/// Characters kept of a term that is cut.
const CUT_PREFIX_CHARS: usize = 40;

/// NFKC, with what has no bearing on a word taken out (soft hyphens, joiners,
/// marks of direction, tatweel) and the many apostrophes, hyphens and digits
/// brought to one of each. Every later step works on this.
pub(crate) fn prepare(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    // Trade marks would otherwise become letters at the end of the word.
    let source = text.chars().map(|c| match c {
        '™' | '℠' | '®' | '©' => ' ',
        c => c,
    });
    let mut chars = source.nfkc().peekable();
    let mut previous = ' ';
    while let Some(c) = chars.next() {
        let next = chars.peek().copied().unwrap_or(' ');
        let c = match c {
            '\u{200d}' if is_emoji_part(previous) && is_emoji(next) => c,
            // A variation selector between an emoji and a joiner must not hide
            // the emoji from the joiner, so `previous` is left alone.
            c if is_ignorable(c) => continue,
            '\u{200b}' => ' ',
            '’' | '‘' | 'ʼ' | '‛' | 'ʹ' | '׳' | 'ʻ' => '\'',
            // An abbreviation such as צה״ל
            '״' | '"' if is_hebrew(previous) && is_hebrew(next) => continue,
            '\u{2010}' | '\u{2011}' | '\u{2212}' => '-',
            c => ascii_digit(c),
        };
        out.push(c);
        previous = c;
    }
    Cow::Owned(out)
}

/// Characters that are written inside words without being part of them.
const fn is_ignorable(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{640}' | '\u{180b}'..='\u{180f}'
            | '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{206f}' | '\u{20dd}'..='\u{20e4}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{e0100}'..='\u{e01ef}'
    )
}

/// A pictograph or one half of a flag.
pub(crate) const fn is_emoji(c: char) -> bool {
    matches!(
        c,
        '\u{231a}' | '\u{231b}' | '\u{2328}' | '\u{23cf}' | '\u{23e9}'..='\u{23fa}'
            | '\u{25fb}'..='\u{25fe}' | '\u{2600}'..='\u{27bf}' | '\u{2934}' | '\u{2935}'
            | '\u{2b05}'..='\u{2b07}' | '\u{2b1b}' | '\u{2b1c}' | '\u{2b50}' | '\u{2b55}'
            | '\u{3030}' | '\u{303d}' | '\u{1f000}'..='\u{1f0ff}' | '\u{1f1e6}'..='\u{1f1ff}'
            | '\u{1f300}'..='\u{1f3fa}' | '\u{1f400}'..='\u{1faff}'
    )
}

fn is_hebrew(c: char) -> bool {
    Script::of(c) == Script::Hebrew
}

/// A skin tone, which varies an emoji without being one.
pub(crate) const fn is_skin_tone(c: char) -> bool {
    matches!(c, '\u{1f3fb}'..='\u{1f3ff}')
}

const fn is_emoji_part(c: char) -> bool {
    is_emoji(c) || is_skin_tone(c)
}

/// The ASCII digit for a decimal digit of another script.
const fn ascii_digit(c: char) -> char {
    const ZEROS: [u32; 14] = [
        0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0,
        0x17e0,
    ];
    let code = c as u32;
    if code < 0x660 || code > 0x17e9 {
        return c;
    }
    let mut i = 0;
    while i < ZEROS.len() {
        if code >= ZEROS[i] && code < ZEROS[i] + 10 {
            return (b'0' + (code - ZEROS[i]) as u8) as char;
        }
        i += 1;
    }
    c
}

/// Lower case as the language writes it: in Turkish the capital of `ı` is `I`.
pub(crate) fn lower(word: &str, language: Option<Language>) -> String {
    if language == Some(Language::Turkish) {
        let mut out = String::with_capacity(word.len());
        for c in word.chars() {
            match c {
                'I' => out.push('ı'),
                'İ' => out.push('i'),
                c => out.extend(c.to_lowercase()),
            }
        }
        return out;
    }
    word.to_lowercase()
}

/// The form of a word that every spelling of it shares: lower case, without
/// diacritics where they are an ornament (Latin, Greek, Cyrillic, Arabic,
/// Hebrew) and with them where they are a letter (Indic scripts, kana).
pub(crate) fn fold(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    let mut out = String::with_capacity(word.len());
    let mut ornaments = true;
    let mut plain = true;
    for c in word.chars().flat_map(char::to_lowercase) {
        if c.is_ascii() {
            out.push(c);
            ornaments = true;
            continue;
        }
        // A composed Hangul syllable or an ideograph has nothing to fold.
        if matches!(Script::of(c), Script::Hangul | Script::Ideographic) {
            out.push(c);
            ornaments = false;
            plain = plain && !is_combining_mark(c);
            continue;
        }
        decompose_canonical(c, |c| {
            if is_combining_mark(c) {
                if ornaments || is_always_ornament(c) {
                    return;
                }
                plain = false;
                // Devanagari writes both nasal signs for one sound.
                out.push(if c == '\u{901}' { '\u{902}' } else { c });
                return;
            }
            ornaments = matches!(
                Script::of(c),
                Script::Latin | Script::Greek | Script::Cyrillic | Script::Arabic | Script::Hebrew
            );
            match c {
                'ß' => out.push_str("ss"),
                'æ' => out.push_str("ae"),
                'œ' => out.push_str("oe"),
                'þ' => out.push_str("th"),
                'ø' => out.push('o'),
                'ł' => out.push('l'),
                'đ' | 'ð' => out.push('d'),
                'ħ' => out.push('h'),
                'ŧ' => out.push('t'),
                'ŋ' => out.push('n'),
                'ı' => out.push('i'),
                'ĸ' => out.push('k'),
                'ς' => out.push('σ'),
                'ى' | 'ی' => out.push('ي'),
                'ة' => out.push('ه'),
                'ک' => out.push('ك'),
                'ٱ' => out.push('ا'),
                c => out.push(c),
            }
        });
    }
    if plain { out } else { out.nfc().collect() }
}

/// Marks that are dropped whatever letter they stand on: Hebrew points, Arabic
/// vowels, the Devanagari dot under a letter (often left out in writing).
const fn is_always_ornament(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5c7}'
        | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6ed}'
        | '\u{8d3}'..='\u{8ff}' | '\u{93c}')
}

/// A term that is longer than an index key should be becomes its beginning and
/// a hash of the whole, so that equal terms stay equal.
pub(crate) fn cut(term: String) -> String {
    // A byte is at most a character, so most terms need no count.
    if term.len() <= MAX_TERM_CHARS || term.chars().nth(MAX_TERM_CHARS).is_none() {
        return term;
    }
    let end = term.char_indices().nth(CUT_PREFIX_CHARS).map_or(term.len(), |(i, _)| i);
    format!("{}~{:016x}", &term[..end], fnv1a(term.as_bytes()))
}

/// FNV-1a: the same on every machine and in every release.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The canonical form of a text, to tell whether two texts say the same in the
/// same words: NFKC, full case folding, runs of white space as one space and
/// none at the ends. Punctuation and diacritics stay, because they can change
/// what is said.
///
/// ```
/// use muninn_core::text::normalise;
/// assert_eq!(normalise("  Die  STRASSE\n"), normalise("die Straße"));
/// assert_ne!(normalise("Let's eat, Anna"), normalise("Let's eat Anna"));
/// ```
#[must_use]
pub fn normalise(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut space = false;
    for c in text.nfkc().flat_map(case_fold).nfkc() {
        if c.is_whitespace() {
            space = true;
            continue;
        }
        if matches!(c, '\u{feff}' | '\u{ad}' | '\u{200b}' | '\u{2060}') {
            continue;
        }
        if space && !out.is_empty() {
            out.push(' ');
        }
        space = false;
        out.push(c);
    }
    out
}

/// Full case folding of one character: the lower case of its upper case, which
/// is where `ß` and `SS`, `ς` and `σ` meet. Only the dotless `ı` must not
/// become an `i` on the way.
fn case_fold(c: char) -> impl Iterator<Item = char> {
    let dotless = (c == 'ı').then_some('ı');
    let folded = dotless
        .is_none()
        .then(|| c.to_lowercase().flat_map(char::to_uppercase).flat_map(char::to_lowercase));
    dotless.into_iter().chain(folded.into_iter().flatten())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_ornaments_of_alphabets() {
        for (word, folded) in [
            ("Élève", "eleve"),
            ("Straße", "strasse"),
            ("STRASSE", "strasse"),
            ("Bodø", "bodo"),
            ("Æsop", "aesop"),
            ("Łódź", "lodz"),
            ("Đà", "da"),
            ("Ångström", "angstrom"),
            ("İstanbul", "istanbul"),
            ("ışık", "isik"),
            ("ΚΑΛΗΜΈΡΑΣ", "καλημερασ"),
            ("Ёлка", "елка"),
            ("אֱמֶת", "אמת"),
            ("مُدَرِّسَة", "مدرسه"),
            ("أحمد", "احمد"),
            ("آمال", "امال"),
            ("على", "علي"),
        ] {
            assert_eq!(fold(word), folded, "{word}");
        }
    }

    #[test]
    fn keeps_marks_that_are_letters() {
        for word in ["हिन्दी", "किताबें", "தமிழ்", "ภาษาไทย", "が", "パン", "한국어", "বাংলা"]
        {
            assert_eq!(fold(word), word, "{word}");
        }
        assert_eq!(fold("चाँद"), fold("चांद"));
        assert_eq!(fold("ज़मीन"), fold("जमीन"));
    }

    #[test]
    fn prepares_look_alikes() {
        assert_eq!(prepare("so\u{ad}ft"), "soft");
        assert_eq!(prepare("\u{feff}Ｆｕｌｌ　ｗｉｄｔｈ"), "Full width");
        assert_eq!(prepare("Anna’s"), "Anna's");
        assert_eq!(prepare("٢٠٢٤"), "2024");
        assert_eq!(prepare("Acme™ pays"), "Acme  pays");
        assert_eq!(prepare("ｶﾞｽ"), "ガス");
        assert_eq!(prepare("👩\u{200d}👩\u{200d}👧"), "👩\u{200d}👩\u{200d}👧");
        assert_eq!(prepare("❤\u{fe0f}\u{200d}🔥"), "❤\u{200d}🔥");
        assert_eq!(prepare("क्\u{200d}ष"), "क्ष");
    }

    #[test]
    fn cuts_long_terms_to_different_short_ones() {
        let long = "ab".repeat(1000);
        let other = format!("{long}c");
        assert_eq!(cut(long.clone()), cut(long.clone()));
        assert_ne!(cut(long.clone()), cut(other));
        assert!(cut(long).chars().count() <= MAX_TERM_CHARS);
        assert_eq!(cut("é".repeat(64)), "é".repeat(64));
        assert_eq!(cut("é".repeat(65)).chars().count(), CUT_PREFIX_CHARS + 17);
    }

    #[test]
    fn normalises_for_equality() {
        assert_eq!(normalise("\tA\u{a0} b \n"), "a b");
        assert_eq!(normalise("ΟΔΟΣ"), normalise("οδος"));
        assert_eq!(normalise("ﬁn"), "fin");
        assert_eq!(normalise("Cafe\u{301}"), "café");
        assert_ne!(normalise("café"), normalise("cafe"));
        assert_ne!(normalise("sıkı"), normalise("siki"));
        assert_eq!(normalise(""), "");
        assert_eq!(normalise(" \u{feff} "), "");
    }
}
