//! One spelling of a word for all that are right.

use unicode_normalization::UnicodeNormalization;

/// Spellings of single words, the British before the American.
const PAIRS: &[(&str, &str)] = &[
    ("grey", "gray"),
    ("mum", "mom"),
    ("licence", "license"),
    ("defence", "defense"),
    ("offence", "offense"),
    ("tyre", "tire"),
    ("cheque", "check"),
    ("programme", "program"),
    ("pyjamas", "pajamas"),
    ("jewellery", "jewelry"),
    ("aluminium", "aluminum"),
    ("cosy", "cozy"),
    ("sceptical", "skeptical"),
    ("mould", "mold"),
    ("plough", "plow"),
];

/// The American spelling of an English word in lower case. The rules apply to
/// long words, among which no two words come to be one: `filled` is not `filed`.
pub(super) fn american(word: &str) -> String {
    if let Some((_, american)) = PAIRS.iter().find(|(british, _)| *british == word) {
        return (*american).to_owned();
    }
    let mut word = word.to_owned();
    if word.len() >= 6 {
        word = word.replace("our", "or");
    }
    if word.len() >= 5 {
        for (british, american) in [("tre", "ter"), ("tres", "ters"), ("bre", "ber")] {
            if let Some(rest) = word.strip_suffix(british) {
                word = format!("{rest}{american}");
            }
        }
    }
    if word.len() >= 7 {
        for ending in ["e", "es", "ed", "ing", "er", "ers", "ation", "ations"] {
            for (british, american) in [("is", "iz"), ("ys", "yz")] {
                if let Some(rest) =
                    word.strip_suffix(ending).and_then(|rest| rest.strip_suffix(british))
                {
                    return format!("{rest}{american}{ending}");
                }
            }
        }
    }
    if word.len() >= 8 {
        for ending in ["ed", "ing", "er", "ers"] {
            if let Some(rest) = word.strip_suffix(ending).and_then(|rest| rest.strip_suffix("ll")) {
                return format!("{rest}l{ending}");
            }
        }
    }
    word
}

/// An English word without the ending of the plural or the third person.
/// No other ending goes: `lived` and `living` say something else than `lives`.
pub(super) fn without_s(word: &str) -> String {
    if word.len() < 4 || !word.is_ascii() || word == "news" {
        return word.to_owned();
    }
    if let Some(rest) = word.strip_suffix("ies").filter(|rest| rest.len() >= 2) {
        return format!("{rest}y");
    }
    let hisses = |rest: &&str| ["s", "x", "z", "ch", "sh"].iter().any(|end| rest.ends_with(end));
    if let Some(rest) = word.strip_suffix("es").filter(hisses) {
        return rest.to_owned();
    }
    match word.strip_suffix('s') {
        Some(rest) if !rest.ends_with(['s', 'u', 'i']) => rest.to_owned(),
        _ => word.to_owned(),
    }
}

/// Lower case with the spellings that mean the same letter everywhere: `ß` and
/// `ss`, `ü` and `ue`, `ё` and `е`. Other marks stay: `konnte` is not `könnte`.
pub(super) fn letters(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    let mut out = String::with_capacity(word.len() + 2);
    for c in word.chars().flat_map(char::to_lowercase).nfc() {
        match c {
            'ß' => out.push_str("ss"),
            'ä' | 'æ' => out.push_str("ae"),
            'ö' | 'ø' | 'œ' => out.push_str("oe"),
            'ü' => out.push_str("ue"),
            'å' => out.push_str("aa"),
            'ё' => out.push('е'),
            // The rest of a capital İ.
            '\u{307}' => {}
            c => out.push(c),
        }
    }
    out
}

/// The word without the accents that people leave out who have no key for them.
pub(super) fn without_accents(word: &str) -> String {
    if word.is_ascii() {
        return word.to_owned();
    }
    let accent = |c: &char| matches!(c, '\u{300}'..='\u{303}' | '\u{327}');
    word.nfd().filter(|c| !accent(c)).nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_meet() {
        for (a, b) in [
            ("favourite", "favorite"),
            ("organises", "organizes"),
            ("travelled", "traveled"),
            ("theatre", "theater"),
            ("analysed", "analyzed"),
        ] {
            assert_eq!(american(a), american(b));
        }
        assert_ne!(american("filled"), american("filed"));
        assert_eq!(letters("Müller"), letters("Mueller"));
        assert_ne!(letters("konnte"), letters("könnte"));
        assert_eq!(without_accents("alérgico"), "alergico");
        assert_eq!(without_accents("мой"), "мой");
    }

    #[test]
    fn only_one_ending_goes() {
        for (word, rest) in [
            ("figs", "fig"),
            ("studies", "study"),
            ("boxes", "box"),
            ("lives", "live"),
            ("lived", "lived"),
            ("bus", "bus"),
            ("glass", "glass"),
            ("news", "news"),
        ] {
            assert_eq!(without_s(word), rest, "{word}");
        }
    }
}
