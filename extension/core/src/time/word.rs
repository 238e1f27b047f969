//! What words mean that speak of time, in English, German, Spanish and French.
//! All are in lower case and without diacritics.

/// A stretch of time that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

/// Which of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    /// The one before.
    Last,
    /// As long as one until now: "the past week".
    Past,
    This,
    Next,
}

/// A relation to a time or an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Since,
    Before,
    After,
    Until,
    /// `by Monday`: as until, but never with an event (by the bridge).
    By,
}

/// A part of a day, as hours from its beginning; the night reaches into the
/// next day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) from: i64,
    pub(super) to: i64,
}

const fn part(from: i64, to: i64) -> Part {
    Part { from, to }
}

/// The night after a day.
pub(super) const NIGHT: Part = part(18, 30);

pub(super) fn unit(word: &str) -> Option<Unit> {
    Some(match word {
        "minute" | "minutes" | "minuten" | "minuto" | "minutos" => Unit::Minute,
        "hour" | "hours" | "stunde" | "stunden" | "hora" | "horas" | "heure" | "heures" => {
            Unit::Hour
        }
        "day" | "days" | "tag" | "tage" | "tagen" | "dia" | "dias" | "jour" | "jours" => Unit::Day,
        "week" | "weeks" | "woche" | "wochen" | "semana" | "semanas" | "semaine" | "semaines" => {
            Unit::Week
        }
        "month" | "months" | "monat" | "monate" | "monaten" | "mes" | "meses" | "mois" => {
            Unit::Month
        }
        "year" | "years" | "jahr" | "jahre" | "jahren" | "ano" | "anos" | "annee" | "annees"
        | "an" | "ans" => Unit::Year,
        _ => return None,
    })
}

/// How surely a word names a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sure {
    Yes,
    /// It is an English word of its own, a name or an abbreviation.
    Doubtful,
    /// It is a month only in Spanish or French (mayo, Mars).
    Romance,
}

/// A month from 1 to 12.
pub(super) fn month(word: &str) -> Option<(i64, Sure)> {
    let sure = match word {
        "may" | "march" | "april" | "june" | "august" => Sure::Doubtful,
        "mars" | "mayo" => Sure::Romance,
        _ if word.len() <= 4
            && !matches!(word, "july" | "mai" | "marz" | "juni" | "juli" | "juin" | "aout") =>
        {
            Sure::Doubtful
        }
        _ => Sure::Yes,
    };
    let month = match word {
        "january" | "jan" | "januar" | "janner" | "enero" | "janvier" => 1,
        "february" | "feb" | "februar" | "febrero" | "fevrier" => 2,
        "march" | "mar" | "marz" | "marzo" | "mars" => 3,
        "april" | "apr" | "abril" | "avril" => 4,
        "may" | "mai" | "mayo" => 5,
        "june" | "jun" | "juni" | "junio" | "juin" => 6,
        "july" | "jul" | "juli" | "julio" | "juillet" => 7,
        "august" | "aug" | "agosto" | "aout" => 8,
        "september" | "sep" | "sept" | "septiembre" | "setiembre" | "septembre" => 9,
        "october" | "oct" | "oktober" | "octubre" | "octobre" => 10,
        "november" | "nov" | "noviembre" | "novembre" => 11,
        "december" | "dec" | "dezember" | "diciembre" | "decembre" => 12,
        _ => return None,
    };
    Some((month, sure))
}

/// A day of the week, 0 for Monday, and whether it is one without a
/// preposition, too.
pub(super) fn weekday(word: &str) -> Option<(i64, bool)> {
    Some(match word {
        "monday" => (0, true),
        "tuesday" => (1, true),
        "wednesday" => (2, true),
        "thursday" => (3, true),
        "friday" => (4, true),
        "saturday" => (5, true),
        "sunday" => (6, true),
        "montag" | "lunes" | "lundi" => (0, false),
        "dienstag" | "martes" | "mardi" => (1, false),
        "mittwoch" | "miercoles" | "mercredi" => (2, false),
        "donnerstag" | "jueves" | "jeudi" => (3, false),
        "freitag" | "viernes" | "vendredi" => (4, false),
        "samstag" | "sonnabend" | "sabado" | "samedi" => (5, false),
        "sonntag" | "domingo" | "dimanche" => (6, false),
        _ => return None,
    })
}

/// The month that a season begins with, and whether the word means nothing else.
pub(super) fn season(word: &str) -> Option<(i64, bool)> {
    Some(match word {
        "spring" | "fruhling" | "fruhjahr" | "primavera" | "printemps" => (3, true),
        "summer" | "sommer" | "verano" => (6, true),
        "ete" => (6, false),
        "autumn" | "herbst" | "otono" | "automne" => (9, true),
        "fall" => (9, false),
        "winter" | "invierno" | "hiver" => (12, true),
        _ => return None,
    })
}

/// The word before what it tells from others.
pub(super) fn which(word: &str) -> Option<Which> {
    Some(match word {
        "last" | "previous" | "letzte" | "letzten" | "letzter" | "letztes" | "letztem"
        | "vorige" | "vorigen" | "voriges" | "voriger" | "vergangene" | "vergangenen"
        | "vergangenes" | "vergangener" | "ultimo" | "ultimos" | "ultima" | "ultimas"
        | "dernier" | "derniers" | "derniere" | "dernieres" => Which::Last,
        "past" => Which::Past,
        "this" | "diese" | "diesen" | "dieser" | "dieses" | "diesem" | "este" | "esta" | "ce"
        | "cet" | "cette" => Which::This,
        "next" | "coming" | "nachste" | "nachsten" | "nachster" | "nachstes" | "kommende"
        | "kommenden" | "kommendes" => Which::Next,
        _ => return None,
    })
}

/// The word behind what it tells from others.
pub(super) fn which_behind(word: &str) -> Option<Which> {
    Some(match word {
        "pasado" | "pasada" | "dernier" | "derniere" | "passe" | "passee" => Which::Last,
        "proximo" | "proxima" | "prochain" | "prochaine" => Which::Next,
        _ => return None,
    })
}

/// A number in words, and whether it is only about so many.
pub(super) fn count(word: &str) -> Option<(i64, bool)> {
    let number = match word {
        "a" | "an" | "one" | "ein" | "eine" | "einem" | "einer" | "einen" | "un" | "una"
        | "uno" | "une" => 1,
        "two" | "couple" | "par" | "zwei" | "dos" | "deux" => 2,
        "three" | "drei" | "tres" | "trois" => 3,
        "four" | "vier" | "cuatro" | "quatre" => 4,
        "five" | "funf" | "cinco" | "cinq" => 5,
        "six" | "sechs" | "seis" => 6,
        "seven" | "sieben" | "siete" | "sept" => 7,
        "eight" | "acht" | "ocho" | "huit" => 8,
        "nine" | "neun" | "nueve" | "neuf" => 9,
        "ten" | "zehn" | "diez" | "dix" => 10,
        "eleven" | "elf" | "once" | "onze" => 11,
        "twelve" | "zwolf" | "doce" | "douze" => 12,
        "few" | "several" | "some" | "paar" | "einigen" | "einige" | "unos" | "unas"
        | "algunos" | "algunas" | "quelques" => return Some((FEW, true)),
        _ => return None,
    };
    Some((number, false))
}

/// At most so many are a few.
pub(super) const FEW: i64 = 6;

/// The day of the month that an ordinal in words means.
pub(super) fn ordinal(word: &str) -> Option<i64> {
    const ORDINALS: [&str; 12] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
        "tenth", "eleventh", "twelfth",
    ];
    ORDINALS.iter().position(|ordinal| *ordinal == word).map(|at| at as i64 + 1)
}

/// How many days from today.
pub(super) fn day(word: &str) -> Option<i64> {
    Some(match word {
        "today" | "heute" | "hoy" => 0,
        "yesterday" | "gestern" | "ayer" | "hier" => -1,
        "vorgestern" | "anteayer" | "antier" => -2,
        "tomorrow" | "demain" => 1,
        "ubermorgen" => 2,
        _ => return None,
    })
}

/// A part of a day, behind the day or behind "this".
pub(super) fn day_part(word: &str) -> Option<Part> {
    Some(match word {
        "morning" | "morgen" | "fruh" | "matin" | "manana" | "vormittag" => part(0, 12),
        "afternoon" | "nachmittag" | "tarde" => part(12, 18),
        "evening" | "abend" | "soir" => part(18, 24),
        "night" | "nacht" | "noche" | "nuit" => NIGHT,
        _ => return None,
    })
}

/// A word that a time follows, and that is said with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Preposition {
    /// A bare month or year may follow: `in 2020`, but not `at 2020`.
    pub(super) year: bool,
    /// A date may follow: `on 3 may`, but not `at 3 may I`.
    pub(super) date: bool,
    /// It is Spanish or French.
    pub(super) romance: bool,
}

impl Preposition {
    /// Any time may follow.
    pub(super) const TIME: Self = Self { year: true, date: true, romance: false };

    /// The same in Spanish or French.
    pub(super) const ROMANCE: Self = Self { year: true, date: true, romance: true };
}

pub(super) fn preposition(word: &str) -> Option<Preposition> {
    Some(match word {
        "in" | "during" | "im" | "wahrend" | "throughout" | "around" | "anfang" | "mitte"
        | "ende" => Preposition::TIME,
        "en" | "durante" | "pendant" => Preposition::ROMANCE,
        "on" | "am" => Preposition { year: false, ..Preposition::TIME },
        "at" | "over" | "within" => Preposition { year: false, date: false, romance: false },
        "el" | "le" | "au" | "dans" | "los" | "las" | "la" => {
            Preposition { year: false, ..Preposition::ROMANCE }
        }
        _ => return None,
    })
}

pub(super) fn relation(word: &str) -> Option<(Relation, Preposition)> {
    let (relation, preposition) = match word {
        "since" | "seit" => (Relation::Since, Preposition::TIME),
        "desde" | "depuis" => (Relation::Since, Preposition::ROMANCE),
        "before" | "vor" => (Relation::Before, Preposition::TIME),
        "antes" | "avant" => (Relation::Before, Preposition::ROMANCE),
        "after" | "nach" => (Relation::After, Preposition::TIME),
        "despues" | "apres" => (Relation::After, Preposition::ROMANCE),
        "until" | "till" | "bis" => (Relation::Until, Preposition::TIME),
        "hasta" | "jusqu" => (Relation::Until, Preposition::ROMANCE),
        "by" => (Relation::By, Preposition::TIME),
        _ => return None,
    };
    Some((relation, preposition))
}

/// Whether a word is French and of no other language that is read here.
pub(super) fn is_french(word: &str) -> bool {
    matches!(
        word,
        "est"
            | "il"
            | "elle"
            | "nous"
            | "vous"
            | "je"
            | "qui"
            | "quoi"
            | "quel"
            | "quelle"
            | "ai"
            | "avons"
            | "ils"
            | "elles"
            | "les"
            | "des"
            | "du"
            | "ou"
            | "soir"
            | "matin"
            | "c"
            | "j"
            | "d"
            | "qu"
            | "avec"
            | "pour"
            | "chez"
            | "dans"
            | "une"
    )
}

/// Whether a unit is named as several: "the last weeks".
pub(super) fn is_several(word: &str) -> bool {
    matches!(
        word,
        "minutes"
            | "hours"
            | "days"
            | "weeks"
            | "months"
            | "years"
            | "minuten"
            | "stunden"
            | "tage"
            | "tagen"
            | "wochen"
            | "monate"
            | "monaten"
            | "jahre"
            | "jahren"
            | "minutos"
            | "horas"
            | "dias"
            | "semanas"
            | "meses"
            | "anos"
            | "heures"
            | "jours"
            | "semaines"
            | "ans"
            | "annees"
    )
}

/// Whether a word may stand between a preposition and a time.
pub(super) fn is_article(word: &str) -> bool {
    matches!(
        word,
        "the"
            | "der"
            | "die"
            | "das"
            | "dem"
            | "den"
            | "el"
            | "la"
            | "los"
            | "las"
            | "le"
            | "les"
            | "l"
            | "de"
            | "del"
            | "du"
            | "a"
            | "au"
            | "en"
            | "early"
            | "late"
            | "mid"
            | "anfang"
            | "mitte"
            | "ende"
            | "end"
            | "beginning"
            | "start"
            | "middle"
            | "of"
    )
}

/// Whether a word begins what an event is called: "before the move", "after
/// she left".
pub(super) fn begins_event(word: &str) -> bool {
    matches!(
        word,
        "the"
            | "my"
            | "your"
            | "his"
            | "her"
            | "its"
            | "our"
            | "their"
            | "a"
            | "an"
            | "that"
            | "this"
            | "i"
            | "you"
            | "he"
            | "she"
            | "it"
            | "we"
            | "they"
            | "der"
            | "dem"
            | "den"
            | "meiner"
            | "meinem"
            | "seiner"
            | "ihrer"
            | "unserer"
            | "unserem"
            | "de"
            | "del"
            | "que"
            | "mi"
            | "le"
            | "la"
            | "l"
            | "les"
            | "mon"
            | "ma"
            | "son"
            | "sa"
            | "notre"
    ) || (word.len() > 5 && word.ends_with("ing"))
}

/// Whether a sentence goes on with this word behind a time. Where the time may
/// be no time at all (may, march, June), it has to.
pub(super) fn goes_on(word: &str) -> bool {
    matches!(
        word,
        "did"
            | "do"
            | "does"
            | "was"
            | "were"
            | "is"
            | "are"
            | "had"
            | "has"
            | "have"
            | "will"
            | "would"
            | "could"
            | "can"
            | "at"
            | "in"
            | "on"
            | "to"
            | "and"
            | "or"
            | "i"
            | "we"
            | "he"
            | "she"
            | "they"
            | "you"
            | "it"
            | "the"
            | "for"
            | "with"
            | "until"
            | "till"
            | "by"
            | "from"
            | "of"
            | "that"
            | "when"
            | "where"
            | "who"
            | "what"
            | "my"
            | "his"
            | "her"
            | "our"
            | "their"
            | "about"
            | "this"
            | "last"
            | "next"
    )
}

/// Whether a word is counted, so that the number before it is no year.
pub(super) fn is_counted(word: &str) -> bool {
    unit(word).is_some()
        || matches!(
            word,
            "pieces"
                | "steps"
                | "words"
                | "people"
                | "persons"
                | "dollars"
                | "euros"
                | "euro"
                | "pounds"
                | "km"
                | "kilometres"
                | "kilometers"
                | "miles"
                | "metres"
                | "meters"
                | "pages"
                | "characters"
                | "ways"
                | "parts"
                | "percent"
                | "copies"
                | "units"
                | "seconds"
                | "books"
                | "cases"
                | "calories"
                | "kg"
                | "watts"
                | "square"
        )
}
