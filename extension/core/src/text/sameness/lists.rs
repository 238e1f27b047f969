//! Words that the comparison of statements treats apart. All others count.
//! Umlauts are spelt out, as [`letters`](super::spelling::letters) does.

use crate::text::language::Language;

/// Articles, which may be missing from one of two statements.
pub(super) fn is_article(word: &str, language: Language) -> bool {
    let articles: &[&str] = match language {
        Language::English => &["the", "a", "an"],
        Language::German => &[
            "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer",
            "eines",
        ],
        Language::French => &["le", "la", "les", "un", "une"],
        Language::Spanish => &["el", "la", "los", "las", "un", "una", "unos", "unas"],
        Language::Portuguese => &["o", "a", "os", "as", "um", "uma"],
        Language::Italian => &["il", "lo", "la", "i", "gli", "le", "un", "uno", "una"],
        Language::Dutch => &["de", "het", "een"],
        Language::Swedish | Language::Norwegian | Language::Danish => &["en", "ett", "et"],
        _ => &[],
    };
    articles.contains(&word)
}

/// The preposition and the article of a German word that is both.
pub(super) fn german_article(word: &str) -> Option<(&'static str, &'static str)> {
    Some(match word {
        "im" => ("in", "dem"),
        "ins" => ("in", "das"),
        "am" => ("an", "dem"),
        "ans" => ("an", "das"),
        "zum" => ("zu", "dem"),
        "zur" => ("zu", "der"),
        "vom" => ("von", "dem"),
        "beim" => ("bei", "dem"),
        _ => return None,
    })
}

/// Words that add strength and no fact. After a negation they do: who is not
/// very tall may be tall.
pub(super) const FILLERS: &[&str] = &[
    "really",
    "very",
    "actually",
    "extremely",
    "totally",
    "basically",
    "sehr",
    "wirklich",
    "uebrigens",
    "muy",
    "realmente",
    "très",
    "vraiment",
    "davvero",
    "очень",
];

/// What people say around a statement.
pub(super) const PHRASES: &[&[&str]] = &[
    &["by", "the", "way"],
    &["remember", "that"],
    &["note", "that"],
    &["note"],
    &["please", "note", "that"],
    &["please", "remember", "that"],
    &["you", "know"],
];

/// What turns a statement around.
pub(super) const NEGATIONS: &[&str] = &[
    "not", "no", "never", "neither", "nor", "without", "hardly", "nicht", "kein", "keine",
    "keinen", "nie", "non", "pas", "ne", "n", "jamais", "nunca", "não", "niet", "geen", "не",
    "нет", "inte",
];

/// How often: words that stand before the verb or at either end.
pub(super) const FLOATING: &[&str] =
    &["usually", "often", "sometimes", "rarely", "always", "never", "generally", "normally"];

/// Words that join two statements to one, in which a word that moves may move
/// from the one to the other.
pub(super) const JOINING: &[&str] = &[
    "and", "or", "but", "if", "that", "who", "which", "because", "when", "while", "unless", "says",
    "said", "thinks", "thought", "knows", "he", "she", "it", "they", "we", "you", "i", "him",
    "her", "them",
];

/// `and`, between words whose order says nothing. English stands for a language
/// that was not told as well, and has none of the other words.
pub(super) fn and(language: Language) -> &'static [&'static str] {
    match language {
        Language::English => &["and", "und", "et", "и", "och", "og", "ve"],
        Language::German => &["und"],
        Language::French => &["et"],
        Language::Spanish => &["y", "e"],
        Language::Portuguese | Language::Italian => &["e"],
        Language::Dutch => &["en"],
        Language::Swedish | Language::Norwegian | Language::Danish => &["och", "og"],
        Language::Russian => &["и"],
        Language::Turkish => &["ve"],
        _ => &[],
    }
}

/// Persons whose thing need not be named as theirs: to drink one's tea. Not `her`,
/// which is also whom something is given to.
pub(super) const WHOSE: &[&str] = &["his", "their", "its"];

/// Words before a thing that belongs to a person, of which the number counts.
pub(super) const OWNING: &[&str] = &["my", "your", "our", "his", "her", "their", "its"];

/// What a phrase begins with that may stand at the beginning of a statement or
/// at its end: prepositions, and words of time.
pub(super) const MOVING: &[&str] = &[
    "in",
    "on",
    "at",
    "by",
    "for",
    "from",
    "to",
    "with",
    "without",
    "before",
    "after",
    "under",
    "over",
    "above",
    "below",
    "behind",
    "during",
    "since",
    "until",
    "near",
    "if",
    "when",
    "because",
    "every",
    "each",
    "last",
    "next",
    "this",
    "today",
    "tomorrow",
    "yesterday",
    "now",
    // de
    "am",
    "um",
    "im",
    "an",
    "auf",
    "bei",
    "mit",
    "nach",
    "vor",
    "seit",
    "bis",
    "zu",
    "ohne",
    "unter",
    "ueber",
    "hinter",
    "jeden",
    "jede",
    "jedes",
    "heute",
    "morgen",
    "gestern",
    "wenn",
    // es, pt, it, fr
    "con",
    "sin",
    "desde",
    "hasta",
    "hoy",
    "mañana",
    "ayer",
    "cada",
    "em",
    "na",
    "com",
    "sem",
    "hoje",
    "amanhã",
    "oggi",
    "domani",
    "ieri",
    "ogni",
    "dans",
    "avec",
    "sans",
    "chez",
    "avant",
    "après",
    "depuis",
    "sur",
    "sous",
    "demain",
    "hier",
    "chaque",
    "aujourd'hui",
    // nl, sv
    "op",
    "met",
    "voor",
    "bij",
    "uit",
    "elke",
    "vandaag",
    "paa",
    "med",
    "idag",
    // ru
    "в",
    "во",
    "на",
    "с",
    "после",
    "до",
    "без",
    "по",
    "сегодня",
    "завтра",
    "вчера",
    // days of the week
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "montag",
    "dienstag",
    "mittwoch",
    "donnerstag",
    "freitag",
    "samstag",
    "sonntag",
    "lunes",
    "martes",
    "miércoles",
    "jueves",
    "viernes",
    "sábado",
    "domingo",
    "lundi",
    "mardi",
    "mercredi",
    "jeudi",
    "vendredi",
    "samedi",
    "dimanche",
    "segunda",
    "terça",
    "quarta",
    "quinta",
    "sexta",
    "lunedì",
    "martedì",
    "mercoledì",
    "giovedì",
    "venerdì",
    "sabato",
    "domenica",
    "maandag",
    "dinsdag",
    "woensdag",
    "donderdag",
    "vrijdag",
    "zaterdag",
    "zondag",
];

/// The days of the week, by the beginning that is written for them.
const DAYS: &[(&str, &str)] = &[
    ("mon", "monday"),
    ("tue", "tuesday"),
    ("tues", "tuesday"),
    ("wed", "wednesday"),
    ("thu", "thursday"),
    ("thurs", "thursday"),
    ("fri", "friday"),
    ("sat", "saturday"),
    ("sun", "sunday"),
];

const MONTHS: &[&str] = &[
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The whole name of a day of the week.
pub(crate) fn day(word: &str) -> Option<&'static str> {
    let whole = word.strip_suffix('s').unwrap_or(word);
    DAYS.iter().find(|(short, day)| *short == word || *day == whole).map(|(_, day)| *day)
}

/// The whole name of a month.
pub(crate) fn month(word: &str) -> Option<&'static str> {
    let is = |month: &&&str| **month == word || (word.len() == 3 && month.starts_with(word));
    MONTHS.iter().find(is).copied().or((word == "sept").then_some("september"))
}
