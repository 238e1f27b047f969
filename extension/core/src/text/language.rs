//! The languages that the analyser knows something about.

use std::fmt;

/// A language for which the analyser has a stemmer, stop words or rules of
/// its own. A text in any other language, or in one that could not be told, is
/// analysed with `None`: its words are folded but not stemmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Language {
    /// `ar`
    Arabic,
    /// `zh`
    Chinese,
    /// `da`
    Danish,
    /// `nl`
    Dutch,
    /// `en`
    English,
    /// `fi`
    Finnish,
    /// `fr`
    French,
    /// `de`
    German,
    /// `el`
    Greek,
    /// `he`
    Hebrew,
    /// `hi`
    Hindi,
    /// `hu`
    Hungarian,
    /// `it`
    Italian,
    /// `ja`
    Japanese,
    /// `ko`
    Korean,
    /// `no`
    Norwegian,
    /// `pt`
    Portuguese,
    /// `ro`
    Romanian,
    /// `ru`
    Russian,
    /// `es`
    Spanish,
    /// `sv`
    Swedish,
    /// `ta`
    Tamil,
    /// `th`
    Thai,
    /// `tr`
    Turkish,
}

impl Language {
    /// Every language, in the order of the enum.
    pub const ALL: [Self; 24] = [
        Self::Arabic,
        Self::Chinese,
        Self::Danish,
        Self::Dutch,
        Self::English,
        Self::Finnish,
        Self::French,
        Self::German,
        Self::Greek,
        Self::Hebrew,
        Self::Hindi,
        Self::Hungarian,
        Self::Italian,
        Self::Japanese,
        Self::Korean,
        Self::Norwegian,
        Self::Portuguese,
        Self::Romanian,
        Self::Russian,
        Self::Spanish,
        Self::Swedish,
        Self::Tamil,
        Self::Thai,
        Self::Turkish,
    ];

    /// The ISO 639-1 code, for storage.
    ///
    /// ```
    /// use muninn_core::text::Language;
    /// assert_eq!(Language::Norwegian.code(), "no");
    /// ```
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Arabic => "ar",
            Self::Chinese => "zh",
            Self::Danish => "da",
            Self::Dutch => "nl",
            Self::English => "en",
            Self::Finnish => "fi",
            Self::French => "fr",
            Self::German => "de",
            Self::Greek => "el",
            Self::Hebrew => "he",
            Self::Hindi => "hi",
            Self::Hungarian => "hu",
            Self::Italian => "it",
            Self::Japanese => "ja",
            Self::Korean => "ko",
            Self::Norwegian => "no",
            Self::Portuguese => "pt",
            Self::Romanian => "ro",
            Self::Russian => "ru",
            Self::Spanish => "es",
            Self::Swedish => "sv",
            Self::Tamil => "ta",
            Self::Thai => "th",
            Self::Turkish => "tr",
        }
    }

    /// The language of an ISO 639-1 code in any case; `nb` and `nn` are
    /// Norwegian too, and a region or script after the code is ignored.
    ///
    /// ```
    /// use muninn_core::text::Language;
    /// assert_eq!(Language::from_code("de"), Some(Language::German));
    /// assert_eq!(Language::from_code("pt-BR"), Some(Language::Portuguese));
    /// assert_eq!(Language::from_code("tlh"), None);
    /// ```
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        let primary = code.split(['-', '_']).next().unwrap_or_default();
        let primary = primary.to_ascii_lowercase();
        match primary.as_str() {
            "nb" | "nn" => Some(Self::Norwegian),
            primary => Self::ALL.into_iter().find(|l| l.code() == primary),
        }
    }

    /// The alphabet that words of the language are written in.
    pub(crate) const fn script(self) -> Script {
        match self {
            Self::Arabic => Script::Arabic,
            Self::Greek => Script::Greek,
            Self::Hebrew => Script::Hebrew,
            Self::Hindi => Script::Devanagari,
            Self::Russian => Script::Cyrillic,
            Self::Tamil => Script::Tamil,
            Self::Chinese | Self::Japanese => Script::Ideographic,
            Self::Korean => Script::Hangul,
            Self::Thai => Script::Spaceless,
            _ => Script::Latin,
        }
    }

    /// One bit, to keep sets of languages.
    pub(crate) const fn bit(self) -> u32 {
        1 << (self as u8)
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// The writing systems that are treated differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Script {
    Latin,
    Greek,
    Cyrillic,
    Arabic,
    Hebrew,
    Devanagari,
    Tamil,
    /// Han, Hiragana, Katakana, Bopomofo.
    Ideographic,
    Hangul,
    /// Thai, Lao, Khmer, Myanmar: no spaces between words, no ideographs.
    Spaceless,
    Other,
}

impl Script {
    /// The script of a letter.
    pub(crate) const fn of(c: char) -> Self {
        match c {
            'a'..='z' | 'A'..='Z' => Self::Latin,
            '\0'..='\u{7f}' => Self::Other,
            '\u{aa}' | '\u{ba}' => Self::Latin,
            '\u{c0}'..='\u{24f}' => match c {
                '\u{d7}' | '\u{f7}' => Self::Other,
                _ => Self::Latin,
            },
            '\u{250}'..='\u{2af}' | '\u{1e00}'..='\u{1eff}' => Self::Latin,
            '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Self::Greek,
            '\u{400}'..='\u{52f}' | '\u{1c80}'..='\u{1c8f}' => Self::Cyrillic,
            '\u{590}'..='\u{5ff}' => Self::Hebrew,
            '\u{600}'..='\u{6ff}' | '\u{750}'..='\u{77f}' | '\u{8a0}'..='\u{8ff}' => Self::Arabic,
            '\u{900}'..='\u{97f}' => Self::Devanagari,
            '\u{b80}'..='\u{bff}' => Self::Tamil,
            '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' => {
                Self::Spaceless
            }
            '\u{1100}'..='\u{11ff}'
            | '\u{3130}'..='\u{318f}'
            | '\u{a960}'..='\u{a97f}'
            | '\u{ac00}'..='\u{d7ff}' => Self::Hangul,
            '\u{2e80}'..='\u{2fdf}'
            | '\u{3005}'..='\u{3007}'
            | '\u{3021}'..='\u{3029}'
            | '\u{3031}'..='\u{3035}'
            | '\u{3038}'..='\u{303c}'
            | '\u{3041}'..='\u{3096}'
            | '\u{3099}'..='\u{309f}'
            | '\u{30a1}'..='\u{30fa}'
            | '\u{30fc}'..='\u{312f}'
            | '\u{31a0}'..='\u{31bf}'
            | '\u{31f0}'..='\u{31ff}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{1b000}'..='\u{1b16f}'
            | '\u{20000}'..='\u{323af}' => Self::Ideographic,
            _ => Self::Other,
        }
    }

    /// The script of the first letter of a word that has one.
    pub(crate) fn of_word(word: &str) -> Self {
        word.chars().map(Self::of).find(|script| *script != Self::Other).unwrap_or(Self::Other)
    }
}

/// Whether the character is an ideograph, which can be a word by itself, in
/// contrast to a kana.
pub(crate) const fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{323af}' | '\u{3007}')
}

/// Whether the character is a Hiragana sign, which mostly writes particles and
/// endings.
pub(crate) const fn is_hiragana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{3096}' | '\u{3099}'..='\u{309f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_round_trip() {
        for language in Language::ALL {
            assert_eq!(Language::from_code(language.code()), Some(language));
            assert_eq!(language.to_string(), language.code());
        }
        assert_eq!(Language::from_code("NB"), Some(Language::Norwegian));
        assert_eq!(Language::from_code("zh-Hant-TW"), Some(Language::Chinese));
        assert_eq!(Language::from_code(""), None);
    }

    #[test]
    fn the_order_of_all_is_the_order_of_the_bits() {
        for (index, language) in Language::ALL.into_iter().enumerate() {
            assert_eq!(language.bit(), 1 << index);
        }
    }
}
