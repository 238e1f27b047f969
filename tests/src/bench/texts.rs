//! Texts of about 40 words, and questions of seven. A text is about one topic
//! or two, so that words stand together as they do in natural texts.

use super::random::{Random, Ranks};
use super::vectors::Space;
use super::words::{FUNCTION, INVENTED, Vocabulary};

/// How many topics there are.
pub const TOPICS: usize = 2_000;
/// Words that belong to a topic.
const TOPIC_WORDS: usize = 120;
/// Words of a question.
const QUESTION_WORDS: usize = 7;

/// A word of a text, with what it means there.
#[derive(Clone, Copy)]
pub enum Token {
    /// A place in [`FUNCTION`].
    Function(usize),
    /// The rank of an invented word, and the topic it was chosen for.
    Word(usize, Option<usize>),
    /// A number, such as a year.
    Number(usize),
}

/// A text or a question with its vector.
#[derive(Clone)]
pub struct Text {
    /// What stands there.
    pub text: String,
    /// Its meaning, of unit length.
    pub vector: Vec<f32>,
}

/// Where texts and questions come from.
pub trait Source: Sync {
    /// The document with this number; its text is no other's.
    fn document(&self, number: u64) -> Text;
    /// A question to a document; another number, another question.
    fn question(&self, document: u64, variant: u64) -> Text;
}

/// Makes the texts of a seed, each from its number alone.
pub struct Author {
    seed: u64,
    vocabulary: Vocabulary,
    topics: Vec<Vec<usize>>,
    topic: Ranks,
    topic_word: Ranks,
    space: Space,
}

impl Author {
    /// The author of a seed.
    pub fn new(seed: u64) -> Self {
        let vocabulary = Vocabulary::new(seed);
        let mut random = Random::new(seed, u64::MAX - 1);
        // Words of all frequencies but the highest: as many from rank 30 to 300
        // as from 300 to 3,000.
        let (low, high) = (30_f64.ln(), (INVENTED as f64).ln());
        let word = |random: &mut Random| {
            ((low + (high - low) * random.share()).exp() as usize).min(INVENTED - 1)
        };
        let topics =
            (0..TOPICS).map(|_| (0..TOPIC_WORDS).map(|_| word(&mut random)).collect()).collect();
        Self {
            seed,
            vocabulary,
            topics,
            topic: Ranks::new(TOPICS, 40.0),
            topic_word: Ranks::new(TOPIC_WORDS, 4.0),
            space: Space::new(seed, TOPICS),
        }
    }

    fn tokens(&self, random: &mut Random) -> Vec<Token> {
        let main = self.topic.draw(random);
        let second = self.topic.draw(random);
        let mixed = random.chance(0.35);
        let length = 26 + random.below(15) + random.below(15);
        (0..length)
            .map(|_| match random.share() {
                x if x < 0.45 => Token::Function(self.vocabulary.draw_function(random)),
                x if x < 0.75 => {
                    let topic = if mixed && random.chance(0.35) { second } else { main };
                    Token::Word(self.of_topic(topic, random), Some(topic))
                }
                x if x < 0.77 => Token::Number(random.below(2_100)),
                _ => Token::Word(self.vocabulary.draw(random), None),
            })
            .collect()
    }

    fn of_topic(&self, topic: usize, random: &mut Random) -> usize {
        self.topics[topic][self.topic_word.draw(random)]
    }

    /// Another word in place of one: of the same topic, if it has one.
    fn another(&self, token: Token, random: &mut Random) -> Token {
        match token {
            Token::Function(_) => Token::Function(self.vocabulary.draw_function(random)),
            Token::Word(_, Some(topic)) => Token::Word(self.of_topic(topic, random), Some(topic)),
            Token::Word(_, None) | Token::Number(_) => {
                Token::Word(self.vocabulary.draw(random), None)
            }
        }
    }

    fn written(&self, token: Token) -> String {
        match token {
            Token::Function(place) => FUNCTION[place].to_owned(),
            Token::Word(rank, _) => self.vocabulary.word(rank).to_owned(),
            Token::Number(number) => number.to_string(),
        }
    }

    fn sentences(&self, tokens: &[Token], random: &mut Random) -> String {
        let mut text = String::with_capacity(tokens.len() * 7);
        let mut left = 0;
        for (place, &token) in tokens.iter().enumerate() {
            let word = self.written(token);
            if left == 0 {
                if place > 0 {
                    text.push_str(". ");
                }
                let (first, rest) = word.split_at(1);
                text.push_str(&first.to_uppercase());
                text.push_str(rest);
                left = 8 + random.below(8);
            } else {
                text.push_str(if random.chance(0.06) { ", " } else { " " });
                text.push_str(&word);
            }
            left -= 1;
        }
        text.push('.');
        text
    }
}

impl Source for Author {
    fn document(&self, number: u64) -> Text {
        let mut random = Random::new(self.seed, number * 2);
        let tokens = self.tokens(&mut random);
        Text {
            text: self.sentences(&tokens, &mut random),
            vector: self.space.vector(&tokens, &mut random),
        }
    }

    /// A question to the document with this number: seven of its words, words
    /// without meaning among them, one or two of them changed.
    fn question(&self, document: u64, variant: u64) -> Text {
        let tokens = self.tokens(&mut Random::new(self.seed, document * 2));
        let mut random = Random::new(self.seed ^ (variant + 1).rotate_left(32), document * 2 + 1);
        let mut places: Vec<usize> = (0..tokens.len()).collect();
        random.shuffle(&mut places);
        // Four words with meaning and three without, in the order of the text.
        let meaning = |&place: &usize| !matches!(tokens[place], Token::Function(_));
        let (mut chosen, without): (Vec<usize>, Vec<usize>) = places.into_iter().partition(meaning);
        chosen.truncate(4);
        let missing = QUESTION_WORDS - chosen.len();
        chosen.extend(without.into_iter().take(missing));
        chosen.sort_unstable();
        let mut words: Vec<Token> = chosen.into_iter().map(|place| tokens[place]).collect();
        for _ in 0..1 + random.below(2) {
            let place = random.below(words.len());
            words[place] = self.another(words[place], &mut random);
        }
        let text: Vec<String> = words.iter().map(|&token| self.written(token)).collect();
        Text {
            text: format!("{}?", text.join(" ")),
            vector: self.space.vector(&words, &mut random),
        }
    }
}

#[cfg(test)]
pub mod tests {
    use std::collections::HashSet;
    use std::sync::LazyLock;

    use super::*;

    /// The author of all tests: making one takes a while without optimisation.
    pub static AUTHOR: LazyLock<Author> = LazyLock::new(|| Author::new(1));

    #[test]
    fn texts_are_distinct_repeatable_and_of_40_words() {
        let author = &*AUTHOR;
        let texts: Vec<Text> = (0..2_000).map(|number| author.document(number)).collect();
        assert_eq!(texts[7].text, author.document(7).text);
        assert_eq!(texts[7].vector, author.document(7).vector);
        let distinct: HashSet<&str> = texts.iter().map(|text| text.text.as_str()).collect();
        assert_eq!(distinct.len(), texts.len());
        let words: usize = texts.iter().map(|text| text.text.split(' ').count()).sum();
        assert!((38..=42).contains(&(words / texts.len())), "{}", words / texts.len());
    }

    #[test]
    fn a_question_has_seven_words_most_of_them_of_its_document() {
        let author = &*AUTHOR;
        for number in 0..200 {
            let document = author.document(number).text.to_lowercase();
            let question = author.question(number, 0).text;
            let words: Vec<&str> = question.trim_end_matches('?').split(' ').collect();
            assert_eq!(words.len(), QUESTION_WORDS, "{question}");
            let known = words.iter().filter(|word| document.contains(**word)).count();
            assert!(known >= QUESTION_WORDS - 2, "{question}\n{document}");
        }
        assert_ne!(author.question(3, 0).text, author.question(3, 1).text);
    }
}
