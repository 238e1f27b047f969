//! Number words and signs, brought to digits and to one word.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Words for numbers up to twelve in languages where they are one word, the
/// tens and the ordinals in English. Left out are words that are mostly others:
/// articles (`un`, `ein`), `to` and `on`. Umlauts are spelt out, as in every word.
const NUMBERS: &[(&str, &str)] = &[
    ("1", "one"),
    ("2", "two zwei dos deux dois duas due twee iki tvaa два две dwa dwie"),
    ("3", "three drei tres trois três tre drie ueç три trzy"),
    ("4", "four vier cuatro quatre quatro quattro doert fyra четыре cztery"),
    ("5", "five fuenf cinco cinq cinque vijf beş fem пять pięć"),
    ("6", "six sechs seis sei zes altı seks шесть sześć"),
    ("7", "seven sieben siete sept sete sette zeven yedi sju семь siedem"),
    ("8", "eight acht ocho huit oito otto sekiz aatta aatte восемь osiem"),
    ("9", "nine neun nueve neuf nove negen dokuz nio девять dziewięć"),
    ("10", "ten zehn diez dix dez dieci tien tio десять dziesięć"),
    ("11", "eleven elf once onze undici elva одиннадцать"),
    ("12", "twelve zwoelf doce douze doze dodici twaalf tolv двенадцать"),
    ("13", "thirteen dreizehn"),
    ("14", "fourteen vierzehn"),
    ("15", "fifteen fuenfzehn quince quinze"),
    ("16", "sixteen sechzehn"),
    ("17", "seventeen siebzehn"),
    ("18", "eighteen achtzehn"),
    ("19", "nineteen neunzehn"),
    ("20", "twenty zwanzig veinte vingt vinte venti twintig yirmi двадцать"),
    ("30", "thirty dreissig treinta trente trinta trenta dertig otuz тридцать"),
    ("40", "forty vierzig cuarenta quarante quarenta quaranta veertig kırk сорок"),
    ("50", "fifty fuenfzig cincuenta cinquante cinquenta cinquanta vijftig elli пятьдесят"),
    ("60", "sixty sechzig sesenta soixante sessenta sessanta zestig altmış шестьдесят"),
    ("70", "seventy siebzig setenta settanta zeventig yetmiş семьдесят"),
    ("80", "eighty achtzig ochenta oitenta ottanta tachtig seksen восемьдесят"),
    ("90", "ninety neunzig noventa novanta negentig doksan девяносто"),
    ("1st", "first"),
    ("2nd", "second"),
    ("3rd", "third"),
    ("4th", "fourth"),
    ("5th", "fifth"),
    ("6th", "sixth"),
    ("7th", "seventh"),
    ("8th", "eighth"),
    ("9th", "ninth"),
    ("10th", "tenth"),
];

static DIGITS: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let row = |(digits, words): &(&'static str, &'static str)| {
        let digits = *digits;
        words.split(' ').map(move |word| (word, digits))
    };
    NUMBERS.iter().flat_map(row).collect()
});

/// What may follow a number without a space.
const UNITS: &[&str] = &[
    "km", "m", "cm", "mm", "kg", "g", "mg", "l", "ml", "h", "min", "am", "pm", "mb", "gb", "tb",
    "°c", "°f",
];

/// The digits of a number word in lower case.
pub(super) fn number(word: &str) -> Option<String> {
    let of = |word: &str| DIGITS.get(word).copied();
    if let Some((tens, ones)) = word.split_once('-') {
        // ninety-two
        let (tens, ones) = (of(tens)?.strip_suffix('0')?, of(ones)?);
        return (ones.len() == 1).then(|| format!("{tens}{ones}"));
    }
    of(word).map(str::to_owned)
}

/// The digit of a Chinese or Japanese numeral.
pub(super) const fn ideograph(c: char) -> Option<&'static str> {
    Some(match c {
        '一' => "1",
        '二' | '两' | '兩' => "2",
        '三' => "3",
        '四' => "4",
        '五' => "5",
        '六' => "6",
        '七' => "7",
        '八' => "8",
        '九' => "9",
        '十' => "10",
        _ => return None,
    })
}

/// Whether the word is digits and nothing else.
pub(super) fn is_digits(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())
}

/// A piece with digits as the words that it stands for: a sign
/// of money or a unit becomes a word after the number. Codes stay as they are, capitals included.
pub(super) fn literal(piece: &str) -> Vec<String> {
    let money = |c: char| match c {
        '$' => Some("dollar"),
        '€' => Some("euro"),
        '£' => Some("pound"),
        '%' => Some("percent"),
        _ => None,
    };
    let mut chars = piece.chars();
    if let Some(sign) = chars.next().and_then(money) {
        return vec![plain(chars.as_str()), sign.to_owned()];
    }
    let mut chars = piece.chars();
    if let Some(sign) = chars.next_back().and_then(money) {
        return vec![plain(chars.as_str()), sign.to_owned()];
    }
    let ordinal = piece.to_lowercase();
    if ["st", "nd", "rd", "th"].iter().any(|end| ordinal.strip_suffix(end).is_some_and(is_digits)) {
        return vec![ordinal];
    }
    let end = piece.find(|c: char| c.is_alphabetic() || c == '°').unwrap_or(piece.len());
    let (amount, unit) = piece.split_at(end);
    if !amount.is_empty() && UNITS.contains(&unit.to_lowercase().as_str()) {
        return vec![plain(amount), unit.to_lowercase()];
    }
    vec![plain(piece)]
}

/// `40,000` is `40000`, `3,5` is `3.5`, `8:30` is `8.30`; in a long number of
/// digits and hyphens, such as one to call, the hyphens say nothing.
fn plain(number: &str) -> String {
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    if number.bytes().all(|b| b.is_ascii_digit() || b == b'-') && digits >= 7 {
        return number.replace('-', "");
    }
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default();
    if whole.contains(',')
        && first.len() <= 3
        && is_digits(first)
        && groups.all(|group| group.len() == 3 && is_digits(group))
    {
        let dot = if fraction.is_empty() { "" } else { "." };
        return format!("{}{dot}{fraction}", whole.replace(',', ""));
    }
    match number.split_once([',', ':']) {
        Some((whole, rest)) if is_digits(whole) && is_digits(rest) && rest.len() <= 2 => {
            format!("{whole}.{rest}")
        }
        _ => number.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_and_units_become_words() {
        for (piece, words) in [
            ("$20", "20 dollar"),
            ("30%", "30 percent"),
            ("5km", "5 km"),
            ("40,000.50", "40000.50"),
            ("3,5", "3.5"),
            ("8:30", "8.30"),
            ("0151-234-567", "0151234567"),
            ("3-1", "3-1"),
            ("-5", "-5"),
            ("B12", "B12"),
            ("3RD", "3rd"),
            ("5KM", "5 km"),
            ("7g-14", "7g-14"),
            ("2.1.3", "2.1.3"),
        ] {
            assert_eq!(literal(piece).join(" "), words, "{piece}");
        }
        assert_eq!(number("ninety-two").as_deref(), Some("92"));
        assert_eq!(number("left-two"), None);
    }
}
