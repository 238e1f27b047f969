//! Words of which one thing is only one at a time.

const PAIRS: &[(&str, &str)] = &[
    ("open", "closed"), ("open", "close"), ("open", "shut"), ("open", "locked"),
    ("on", "off"), ("in", "out"), ("before", "after"), ("above", "below"), ("with", "without"),
    ("for", "against"), ("inside", "outside"), ("indoors", "outdoors"), ("indoor", "outdoor"),
    ("left", "right"), ("north", "south"), ("east", "west"), ("top", "bottom"),
    ("first", "last"), ("all", "none"), ("everybody", "nobody"), ("everyone", "nobody"),
    ("everybody", "none"), ("both", "neither"), ("everything", "nothing"), ("always", "never"),
    ("hot", "cold"), ("warm", "cold"), ("warm", "cool"), ("wet", "dry"), ("full", "empty"),
    ("fresh", "sour"), ("fresh", "stale"), ("fresh", "rotten"), ("sweet", "sour"),
    ("sweet", "bitter"), ("hard", "soft"), ("easy", "difficult"), ("easy", "hard"),
    ("simple", "difficult"), ("heavy", "light"), ("dark", "bright"), ("dark", "light"),
    ("deep", "shallow"), ("wide", "narrow"), ("thick", "thin"), ("long", "short"),
    ("tall", "short"), ("big", "small"), ("large", "small"), ("big", "little"), ("huge", "tiny"),
    ("high", "low"), ("fast", "slow"), ("quick", "slow"), ("early", "late"), ("old", "young"),
    ("old", "new"), ("oldest", "youngest"), ("oldest", "newest"), ("eldest", "youngest"),
    ("biggest", "smallest"), ("largest", "smallest"), ("tallest", "shortest"),
    ("longest", "shortest"), ("best", "worst"), ("better", "worse"), ("good", "bad"),
    ("more", "less"), ("more", "fewer"), ("most", "least"), ("taller", "shorter"),
    ("longer", "shorter"), ("older", "younger"), ("older", "newer"), ("bigger", "smaller"),
    ("larger", "smaller"), ("higher", "lower"), ("faster", "slower"), ("richer", "poorer"),
    ("stronger", "weaker"), ("cheaper", "dearer"), ("warmer", "colder"), ("heavier", "lighter"),
    ("rich", "poor"), ("strong", "weak"), ("cheap", "expensive"), ("clean", "dirty"),
    ("safe", "dangerous"), ("safe", "risky"), ("healthy", "ill"), ("healthy", "sick"),
    ("alive", "dead"), ("awake", "asleep"), ("present", "absent"), ("loud", "quiet"),
    ("noisy", "quiet"), ("happy", "sad"), ("kind", "cruel"), ("brave", "cowardly"),
    ("polite", "rude"), ("true", "false"), ("right", "wrong"), ("correct", "wrong"),
    ("guilty", "innocent"), ("guilty", "acquitted"), ("public", "private"), ("free", "busy"),
    ("free", "occupied"), ("vacant", "occupied"), ("free", "taken"), ("broken", "intact"),
    ("raw", "cooked"), ("single", "married"), ("single", "divorced"), ("married", "divorced"),
    ("married", "unmarried"), ("male", "female"), ("automatic", "manual"), ("online", "offline"),
    ("lefthanded", "righthanded"), ("nearsighted", "farsighted"), ("introvert", "extrovert"),
    ("optional", "mandatory"), ("optional", "required"), ("optional", "compulsory"),
    ("legal", "illegal"), ("legal", "forbidden"), ("allowed", "forbidden"), ("permitted", "banned"),
    ("temporary", "permanent"), ("ancient", "modern"), ("rural", "urban"), ("solid", "liquid"),
    ("positive", "negative"), ("odd", "even"), ("winner", "loser"), ("employed", "unemployed"),
    ("available", "sold"), ("vegan", "carnivore"), ("day", "night"), ("ally", "enemy"),
    // verbs
    ("love", "hate"), ("like", "hate"), ("like", "dislike"), ("love", "dislike"),
    ("enjoy", "hate"), ("adore", "hate"), ("like", "detest"), ("win", "lose"), ("pass", "fail"),
    ("succeed", "fail"), ("accept", "reject"), ("accept", "refuse"), ("accept", "decline"),
    ("agree", "disagree"), ("agree", "refuse"), ("allow", "forbid"), ("allow", "ban"),
    ("allow", "prohibit"), ("permit", "forbid"), ("approve", "reject"), ("support", "oppose"),
    ("remember", "forget"), ("arrive", "depart"), ("buy", "sell"), ("lend", "borrow"),
    ("start", "stop"), ("begin", "end"), ("rise", "fall"), ("increase", "decrease"),
    ("grow", "shrink"), ("trust", "distrust"), ("trust", "mistrust"), ("attend", "miss"),
    ("include", "exclude"), ("confirm", "deny"), ("admit", "deny"), ("keep", "cancel"),
    ("keep", "sell"), ("live", "die"), ("push", "pull"), ("lock", "unlock"), ("save", "waste"),
    ("work", "malfunction"), ("prefer", "avoid"), ("confirm", "cancel"), ("stay", "leave"),
    ("enable", "disable"), ("encrypt", "decrypt"), ("hire", "fire"), ("own", "rent"),
    // de
    ("offen", "geschlossen"), ("offen", "zu"), ("auf", "zu"), ("an", "aus"), ("warm", "kalt"),
    ("heiss", "kalt"), ("nass", "trocken"), ("voll", "leer"), ("gross", "klein"), ("alt", "jung"),
    ("alt", "neu"), ("lang", "kurz"), ("hoch", "niedrig"), ("schnell", "langsam"),
    ("gut", "schlecht"), ("leicht", "schwer"), ("einfach", "schwierig"), ("hell", "dunkel"),
    ("laut", "leise"), ("reich", "arm"), ("teuer", "billig"), ("sauber", "schmutzig"),
    ("gesund", "krank"), ("richtig", "falsch"), ("wahr", "falsch"), ("ledig", "verheiratet"),
    ("frueh", "spaet"), ("mit", "ohne"), ("vor", "nach"), ("links", "rechts"), ("liebt", "hasst"),
    ("mag", "hasst"), ("gewann", "verlor"), ("gewonnen", "verloren"), ("bestanden", "durchgefallen"),
    ("erlaubt", "verboten"), ("immer", "nie"), ("alle", "keine"), ("aelter", "juenger"),
    ("groesser", "kleiner"), ("frei", "besetzt"),
    // fr
    ("ouvert", "fermé"), ("ouverte", "fermée"), ("chaud", "froid"), ("chaude", "froide"),
    ("grand", "petit"), ("grande", "petite"), ("vieux", "jeune"), ("vieux", "neuf"),
    ("plein", "vide"), ("pleine", "vide"), ("facile", "difficile"), ("rapide", "lent"),
    ("bon", "mauvais"), ("bonne", "mauvaise"), ("vrai", "faux"), ("riche", "pauvre"),
    ("avec", "sans"), ("avant", "après"), ("aime", "déteste"), ("adore", "déteste"),
    ("marié", "célibataire"), ("mariée", "célibataire"), ("toujours", "jamais"),
    ("permis", "interdit"), ("gauche", "droite"), ("cher", "bon marché"),
    // es
    ("abierto", "cerrado"), ("abierta", "cerrada"), ("caliente", "frío"), ("caliente", "fría"),
    ("grande", "pequeño"), ("grande", "pequeña"), ("alto", "bajo"), ("alta", "baja"),
    ("viejo", "joven"), ("viejo", "nuevo"), ("lleno", "vacío"), ("llena", "vacía"),
    ("fácil", "difícil"), ("rápido", "lento"), ("bueno", "malo"), ("buena", "mala"),
    ("verdadero", "falso"), ("rico", "pobre"), ("con", "sin"), ("antes", "después"),
    ("ama", "odia"), ("casado", "soltero"), ("casada", "soltera"), ("siempre", "nunca"),
    ("permitido", "prohibido"), ("izquierda", "derecha"), ("caro", "barato"), ("cara", "barata"),
    // zh
    ("开", "关"), ("大", "小"), ("高", "低"), ("高", "矮"), ("长", "短"), ("冷", "热"),
    ("新", "旧"), ("老", "年轻"), ("快", "慢"), ("多", "少"), ("好", "坏"), ("左", "右"),
    ("男", "女"), ("前", "后"), ("对", "错"), ("贵", "便宜"), ("胖", "瘦"), ("赢", "输"),
];

const PREFIXES: &[&str] = &["un", "in", "im", "ir", "il", "dis", "non", "il"];

/// Whether the words deny each other, as `open` and `closed`, `paid` and `unpaid`.
pub fn opposite(a: &str, b: &str) -> bool {
    let listed = |(one, other): &(&str, &str)| {
        (*one == a && *other == b) || (*one == b && *other == a)
    };
    let denied = |a: &str, b: &str| {
        b.len() >= 4 && PREFIXES.iter().any(|prefix| a.strip_prefix(prefix) == Some(b))
    };
    PAIRS.iter().any(listed) || denied(a, b) || denied(b, a)
}

#[cfg(test)]
mod tests {
    use super::opposite;

    #[test]
    fn opposites_are_found_either_way() {
        for (a, b) in [("open", "closed"), ("unpaid", "paid"), ("offen", "geschlossen"), ("大", "小")] {
            assert!(opposite(a, b) && opposite(b, a), "{a} {b}");
        }
        assert!(!opposite("open", "wide") && !opposite("under", "der"));
    }
}
