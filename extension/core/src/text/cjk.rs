//! Scripts without spaces: overlapping pairs instead of words.

use unicode_normalization::char::is_combining_mark;

use super::language::{is_han, is_hiragana};

/// The letters of a run with the marks that belong to each.
pub(crate) fn letters(run: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = run
        .char_indices()
        .filter(|(i, c)| *i == 0 || !is_combining_mark(*c))
        .map(|(i, _)| i)
        .collect();
    starts.push(run.len());
    starts.windows(2).map(|pair| &run[pair[0]..pair[1]]).collect()
}

/// Overlapping pairs of neighbouring letters; a single letter is its own term.
pub(crate) fn pairs(letters: &[&str], mut add: impl FnMut(String)) {
    match letters {
        [] => {}
        [one] => add((*one).to_owned()),
        many => many.windows(2).for_each(|pair| add(pair.concat())),
    }
}

/// The ideographs of a run, each of which may be a word that is asked for.
pub(crate) fn ideographs<'a>(letters: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
    letters.iter().copied().filter(|letter| letter.chars().next().is_some_and(is_han))
}

/// The ideographs beside which stands Hiragana and no other ideograph: a word
/// of one letter with its particle or ending (cat, in "where is the cat").
pub(crate) fn lone_ideographs<'a>(letters: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
    let is = |at: Option<usize>, kind: fn(char) -> bool| {
        at.and_then(|at| letters.get(at)?.chars().next()).is_some_and(kind)
    };
    (0..letters.len())
        .filter(move |&at| {
            let (before, after) = (at.checked_sub(1), Some(at + 1));
            is(Some(at), is_han)
                && (is(before, is_hiragana) || is(after, is_hiragana))
                && !is(before, is_han)
                && !is(after, is_han)
        })
        .map(|at| letters[at])
}

/// How much a pair of a question says, by what it is made of: Hiragana mostly
/// writes endings and particles, and so do a few Chinese characters.
pub(crate) fn pair_weight(pair: &str) -> f32 {
    let functional =
        pair.chars().filter(|c| is_hiragana(*c) || CHINESE_PARTICLES.contains(c)).count();
    match functional {
        0 => 1.0,
        1 => 0.5,
        _ => 0.2,
    }
}

/// Chinese characters that mostly hold a sentence together.
const CHINESE_PARTICLES: [char; 26] = [
    '的', '了', '是', '在', '和', '与', '我', '你', '他', '她', '它', '们', '吗', '呢', '吧', '啊',
    '着', '呀', '嘛', '就', '也', '都', '这', '那', '有', '個',
];

/// Chinese and Japanese words that only ask. They are taken out of a question,
/// and what stands left and right of them makes no pair.
const QUESTION_WORDS: [&str; 58] = [
    "是啥时候",
    "啥时候",
    "啥時候",
    "是啥",
    "啥",
    "来着",
    "來著",
    "到底",
    "究竟",
    "几岁",
    "幾歲",
    "多大",
    "是什么时候",
    "是什麼時候",
    "什么时候",
    "什麼時候",
    "为什么",
    "為什麼",
    "是什么",
    "是什麼",
    "什么",
    "什麼",
    "怎么样",
    "怎麼樣",
    "怎么",
    "怎麼",
    "怎样",
    "如何",
    "哪里",
    "哪裡",
    "哪儿",
    "哪些",
    "哪个",
    "哪個",
    "哪一",
    "多少",
    "几点",
    "幾點",
    "是谁",
    "是誰",
    "谁",
    "誰",
    "请问",
    "請問",
    "是不是",
    "有没有",
    "告诉我",
    "何ですか",
    "ですか",
    "ますか",
    "でしたか",
    "ましたか",
    "どこ",
    "だれ",
    "いつ",
    "どの",
    "どう",
    "なぜ",
];

/// The parts of a question's run between its question words.
pub(crate) fn without_question_words(run: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < run.len() {
        let rest = &run[at..];
        if let Some(word) = QUESTION_WORDS.iter().find(|word| rest.starts_with(**word)) {
            parts.push(&run[start..at]);
            at += word.len();
            start = at;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    parts.push(&run[start..]);
    parts.retain(|part| !part.is_empty());
    parts
}

/// Korean particles, longest first.
const PARTICLES: [&str; 34] = [
    "에서는",
    "에게서",
    "으로는",
    "이라고",
    "에서",
    "에게",
    "한테",
    "으로",
    "까지",
    "부터",
    "처럼",
    "보다",
    "이나",
    "이랑",
    "하고",
    "라고",
    "마다",
    "밖에",
    "조차",
    "은",
    "는",
    "이",
    "가",
    "을",
    "를",
    "에",
    "의",
    "로",
    "와",
    "과",
    "도",
    "만",
    "랑",
    "나",
];

/// A Korean word without the particle at its end, if it has one.
pub(crate) fn without_particle(word: &str) -> Option<&str> {
    PARTICLES
        .iter()
        .find_map(|particle| word.strip_suffix(particle))
        .filter(|rest| !rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_pairs(run: &str) -> Vec<String> {
        let mut out = Vec::new();
        pairs(&letters(run), |pair| out.push(pair));
        out
    }

    #[test]
    fn pairs_overlap() {
        assert_eq!(all_pairs("東京に行く"), ["東京", "京に", "に行", "行く"]);
        assert_eq!(all_pairs("木"), ["木"]);
        assert_eq!(all_pairs("ที่นี่"), ["ที่นี่"]);
        assert!(all_pairs("").is_empty());
    }

    #[test]
    fn question_words_fall_away() {
        assert_eq!(without_question_words("她的生日是什么时候"), ["她的生日"]);
        assert_eq!(without_question_words("谁住在北京"), ["住在北京"]);
        assert!(without_question_words("为什么").is_empty());
    }

    #[test]
    fn an_ideograph_beside_hiragana_is_a_word() {
        let lone = |run| lone_ideographs(&letters(run)).collect::<String>();
        assert_eq!(lone("猫は"), "猫");
        assert_eq!(lone("妹の猫"), "妹猫");
        assert_eq!(lone("京都は"), "");
        assert_eq!(lone("药"), "");
        assert_eq!(lone("が"), "");
    }

    #[test]
    fn particles_fall_away() {
        assert_eq!(without_particle("학교에서"), Some("학교"));
        assert_eq!(without_particle("집에"), Some("집"));
        assert_eq!(without_particle("사람"), None);
    }
}
