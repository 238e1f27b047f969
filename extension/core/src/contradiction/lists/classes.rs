//! Words by what they do in a statement.

/// Say nothing that the other statement would have to say, too.
pub const LITTLE: &[&str] = &[
    "do", "some", "any", "also", "too", "already", "ever", "yet", "that", "just", "still",
    "always", "there", "actually", "a", "all", "lot", "currently", "even", "own", "only",
    "ever", "at", "really", "so", "the", "be", "once", "both", "very", "quite", "much", "today",
    "of", "have", "as", "then", "it", "really", "certainly", "definitely", "anything",
    // de
    "schon", "noch", "auch", "einmal", "immer", "mal", "doch", "ja", "ueberhaupt", "gar", "werden",
    "wurde", "haben", "hat",
    // fr, es
    "ne", "n", "de", "d", "la", "le", "du", "des", "déjà", "encore", "aussi", "toujours", "a", "été",
    "y", "también", "siempre", "todavía", "ha",
    // zh
    "了", "有", "过", "的", "吗", "很", "也", "都",
];

/// Stand before a group of which something holds, but not of all.
pub const EXISTENTIAL: &[&str] = &[
    "some", "many", "most", "few", "several", "other", "sometimes", "another", "somebody",
    "someone", "einige", "manche", "viele", "certains", "plusieurs", "algunos", "muchos", "有",
];

/// Before a number that tells one thing of a kind from another.
pub const IDENTIFIED: &[&str] = &[
    "room", "version", "bus", "line", "page", "chapter", "flight", "gate", "platform", "level",
    "season", "episode", "grade", "apartment", "house", "number", "route", "tram", "unit",
    "question", "step", "sprint", "phase", "zimmer", "linie", "seite", "gleis", "chambre", "sala",
];

/// What is counted by ordinals and had one of.
pub const ORDINAL_PLACES: &[&str] = &["floor", "place", "birthday", "anniversary", "grade", "rank"];

/// What is done again and again: one time and another do not contradict each other.
pub const REPEATED: &[&str] = &[
    "buy", "eat", "run", "drink", "walk", "swim", "pay", "sell", "borrow", "see", "read", "meet",
    "visit", "take", "wear", "go", "cook", "bake", "order", "call", "play", "watch", "ride",
    "drive", "cycle", "spend", "write", "score", "sleep", "lend", "owe", "catch", "bring", "give",
    "hike", "jog", "send", "make", "train", "practice",
];

/// What happens once, at a time that is fixed.
pub const SCHEDULED: &[&str] = &[
    "start", "begin", "end", "finish", "leave", "depart", "arrive", "land", "open", "close",
    "schedule", "due", "bear", "die", "marry", "found", "expire", "close",
    "beginnt", "endet", "faehrt", "oeffnet", "schliesst", "geboren", "commence", "finit", "ouvre",
    "ferme", "part", "né", "née", "empieza", "termina", "abre", "cierra", "sale", "nació", "开",
    "在", "出", "reschedul", "move", "deadline", "appointment",
];

/// Who speaks, and what is the speaker's.
pub const SPEAKERS: &[&str] = &["i", "my", "we", "our", "me", "us", "mine", "ich", "mein", "meine", "wir", "unser", "je", "mon", "ma", "nous", "yo", "mi", "我", "我们", "you", "your"];

/// Groups of which a thing is one.
const CLASSES: &[&[&str]] = &[
    &[
        "black", "white", "red", "green", "blue", "yellow", "brown", "orange", "purple", "pink",
        "gray", "cyan", "violet", "beige", "turquoise",
    ],
    &[
        "schwarz", "weiss", "rot", "gruen", "blau", "gelb", "braun", "grau", "lila", "rosa",
    ],
    &["noir", "blanc", "rouge", "vert", "bleu", "jaune", "gris", "noire", "blanche", "verte", "bleue"],
    &["negro", "blanco", "rojo", "verde", "azul", "amarillo", "gris", "negra", "blanca", "roja"],
    &["黑", "白", "红", "绿", "蓝", "黄", "灰"],
    &["single", "married", "divorced", "widowed", "engaged"],
    &["spring", "summer", "autumn", "winter"],
    &["wooden", "metal", "plastic", "glass", "stone", "paper", "leather"],
    &["round", "square", "triangular", "oval"],
];

/// Whether a thing that is the one is not the other.
pub fn exclude(a: &str, b: &str) -> bool {
    a != b && CLASSES.iter().any(|class| class.contains(&a) && class.contains(&b))
}

/// One root for words that are written in several ways or say the same.
pub fn canonical(word: &str) -> &str {
    match word {
        "m" | "meter" | "metr" | "metre" => "metre",
        "km" | "kilometr" | "kilometre" => "kilometre",
        "kg" | "kilo" | "kilogram" => "kilogram",
        "g" | "gram" => "gram",
        "h" | "hour" => "hour",
        "min" | "minut" => "minute",
        "eur" => "euro",
        "own" | "possess" => "have",
        "handle" | "implement" => "implement",
        "kid" => "child",
        "colour" => "color",
        "favourite" | "favorit" => "favorite",
        "life" => "live",
        "leaf" => "leave",
        "anyone" | "someone" | "somebody" => "anybody",
        other => other,
    }
}

/// `is` in languages where it is not left out.
pub fn is_copula(key: &str) -> bool {
    ["is", "are", "am", "be", "was", "were", "ist", "sind", "est", "sont", "es", "está", "son", "是"]
        .contains(&key)
}

/// A verb that says little beside its object.
pub fn is_light(root: &str) -> bool {
    [
        "do", "make", "have", "get", "use", "try", "be", "go", "take", "give", "need", "can",
        "will", "actual", "ever", "any", "project", "also", "before",
    ]
    .contains(&root)
}

pub fn is_preposition(key: &str) -> bool {
    [
        "at", "on", "in", "to", "until", "by", "for", "from", "since", "till", "around", "about",
        "only", "of", "over", "um", "am", "an", "auf", "bis", "à", "en", "a", "seit", "ab", "le",
    ]
    .contains(&key)
}

pub fn is_time_word(key: &str) -> bool {
    const DAYS: &[&str] = &[
        "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag", "lundi",
        "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche", "lunes", "martes",
        "miércoles", "jueves", "viernes", "sábado", "domingo", "domingos", "montags", "dienstags",
        "mittwochs", "donnerstags", "freitags", "samstags", "sonntags", "januar", "februar",
        "maerz", "juni", "juli", "august", "oktober", "dezember", "janvier", "février", "mars",
        "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre",
        "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre",
        "octubre", "noviembre", "diciembre", "tomorrow", "yesterday", "morning", "evening",
        "noon", "midnight", "night", "afternoon", "am", "pm", "uhr", "heures", "点", "tonight",
        "weekend", "summer", "winter", "spring", "autumn", "week", "month", "year",
        "heute", "gestern", "morgen", "hier", "demain", "ayer", "mañana",
    ];
    DAYS.contains(&key)
}
