//! The analyser from outside: a table of cases, and what holds for any text.

use std::collections::BTreeSet;

use muninn_core::text::{Language, analyse_document, analyse_query, detect, normalise};
use proptest::prelude::*;

fn language(code: &str) -> Option<Language> {
    let language = Language::from_code(code);
    assert_eq!(language.is_none(), code == "?", "no language {code}");
    language
}

/// Whether a question finds a document by a word that counts.
fn shares(
    document: &str,
    language: Option<Language>,
    question: &str,
    languages: &[Language],
) -> bool {
    let document = analyse_document(document, language);
    let terms: BTreeSet<&str> = document.terms.iter().map(|t| t.text.as_str()).collect();
    let words = analyse_query(question, languages);
    words.iter().any(|word| word.weight > 0.0 && word.terms().any(|form| terms.contains(form)))
}

#[test]
fn the_table_of_cases() {
    let mut failures = Vec::new();
    let mut cases = 0;
    for line in include_str!("analyser_cases.txt").lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let columns: Vec<&str> = line.split(" | ").collect();
        let [language_of_document, document, language_of_question, question, expected] =
            columns[..]
        else {
            panic!("five columns, please: {line}");
        };
        let languages: Vec<Language> = language(language_of_question).into_iter().collect();
        let found = shares(document, language(language_of_document), question, &languages);
        if found != (expected == "yes") {
            failures.push(line);
        }
        cases += 1;
    }
    assert!(cases >= 120, "only {cases} cases");
    assert!(failures.is_empty(), "{} of {cases} fail:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn languages_are_told_apart() {
    for (code, text) in [
        ("en", "We are going to the lake with the children."),
        ("en", "I don't know when she will be back."),
        ("en", "My sister moved to Bergen last year and works at the harbour."),
        ("de", "Wir fahren mit den Kindern an den See."),
        ("de", "Ich weiß nicht, wann sie zurückkommt."),
        ("de", "Wo wohnt deine Schwester?"),
        ("no", "Jeg vet ikke når hun kommer tilbake fra byen."),
        ("no", "Hva heter søsteren din, og hvor bor hun nå?"),
        ("da", "Jeg ved ikke, hvornår hun kommer tilbage fra byen."),
        ("da", "Hvad hedder din søster, og hvor bor hun nu?"),
        ("sv", "Jag vet inte när hon kommer tillbaka från staden."),
        ("sv", "Vad heter din syster och var bor hon nu?"),
        ("nl", "Ik weet niet wanneer zij terugkomt van haar werk."),
        ("nl", "Waar woont je zus en wat doet ze?"),
        ("fr", "Je ne sais pas quand elle va revenir de la ville."),
        ("fr", "Où habite ta sœur et que fait-elle ?"),
        ("es", "No sé cuándo va a volver mi hermana de la ciudad."),
        ("es", "¿Dónde vive tu hermana y qué hace?"),
        ("it", "Non so quando mia sorella torna dalla città."),
        ("it", "Dove abita tua sorella e che cosa fa?"),
        ("pt", "Não sei quando a minha irmã volta da cidade."),
        ("pt", "Onde mora a sua irmã e o que ela faz?"),
        ("ro", "Nu știu când se întoarce sora mea din oraș."),
        ("fi", "En tiedä, milloin hän tulee takaisin kaupungista."),
        ("hu", "Nem tudom, hogy mikor jön vissza a nővérem a városból."),
        ("tr", "Kız kardeşim ne zaman geri dönecek bilmiyorum."),
        ("ru", "Я не знаю, когда моя сестра вернётся из города."),
        ("ru", "Моя сестра живет в Казани."),
        ("el", "Δεν ξέρω πότε θα γυρίσει η αδελφή μου."),
        ("ar", "لا أعرف متى ستعود أختي من المدينة."),
        ("he", "אני לא יודע מתי אחותי תחזור מהעיר."),
        ("hi", "मुझे नहीं पता कि मेरी बहन कब वापस आएगी।"),
        ("ta", "என் சகோதரி எப்போது திரும்பி வருவாள் என்று தெரியவில்லை."),
        ("th", "ฉันไม่รู้ว่าน้องสาวจะกลับมาเมื่อไร"),
        ("zh", "我不知道我妹妹什么时候回来。"),
        ("ja", "妹がいつ帰ってくるか分かりません。"),
        ("ko", "여동생이 언제 돌아올지 모르겠다."),
    ] {
        assert_eq!(detect(text).map(Language::code), Some(code), "{text}");
    }
    for text in [
        "",
        "   ",
        "42",
        "Oslo",
        "Anna Müller",
        "🎉🎉",
        "OK, thanks",
        "foo_bar::baz(1)",
        // Not among the languages of the analyser.
        "Nie wiem, kiedy moja siostra wróci z miasta do domu.",
        "Nevím, kdy se moje sestra vrátí z města domů.",
        "Tôi không biết khi nào em gái tôi sẽ trở về từ thành phố.",
        "Я не знаю, коли моя сестра повернеться з міста.",
        "Сестра ми живее в Пловдив и работи в болница.",
        "Моја сестра живи у Новом Саду.",
        "Mi smo bili na moru s djecom i bilo je lijepo.",
        "Saya tidak tahu kapan adik saya pulang dari kota.",
        "نمی‌دانم خواهرم کی از شهر برمی‌گردد.",
    ] {
        assert_eq!(detect(text), None, "{text}");
    }
}

#[test]
fn a_question_of_stop_words_is_asked_as_it_is() {
    let first = |text: &str, languages: &[Language]| -> Vec<String> {
        analyse_query(text, languages).into_iter().map(|word| word.forms[0].term.clone()).collect()
    };
    assert_eq!(first("to be or not to be", &[Language::English]), ["to", "be", "or", "not"]);
    assert_eq!(first("Who is The Who?", &[]), ["who", "is", "the"]);
    assert_eq!(first("Who is the king?", &[]), ["king"]);
    assert_eq!(first("Wer ist der König?", &[Language::German]), ["konig"]);
    assert!(first("?!", &[]).is_empty());
}

#[test]
fn the_whole_counts_more_than_its_parts() {
    let words = analyse_query("ABC-123", &[]);
    let forms: Vec<&str> = words.iter().map(|word| word.forms[0].term.as_str()).collect();
    assert_eq!(forms, ["abc123", "abc", "123"]);
    assert!(words[0].weight > words[1].weight);
}

#[test]
fn long_texts_take_linear_time() {
    // Quadratic work on any of these would take minutes.
    for text in [
        "x".repeat(50_000),
        "a.b-c/".repeat(40_000),
        "e\u{301}\u{323}".repeat(40_000),
        "\u{301}".repeat(50_000),
        "東".repeat(40_000),
        "가".repeat(40_000),
        "👩\u{200d}".repeat(40_000),
        "1-".repeat(50_000),
        "1,".repeat(50_000),
        "1 ".repeat(50_000),
        "'s".repeat(50_000),
        "aB".repeat(50_000),
        format!("https://{}", "a/".repeat(50_000)),
    ] {
        let document = analyse_document(&text, Some(Language::English));
        assert!(document.terms.iter().all(|term| term.text.chars().count() <= 64));
        let _ = (analyse_query(&text, &[Language::German]), detect(&text), normalise(&text));
    }
}

/// Text as people and machines produce it, and as nobody does.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[a-zA-Z0-9._/:@#+'&, -]{0,60}",
        "[a-zäöüßéèçñåøæőűığşțА-яёΑ-ώ' ]{0,60}",
        "[\u{621}-\u{652}\u{5d0}-\u{5ea} ]{0,40}",
        "[\u{900}-\u{97f}\u{b80}-\u{bff}\u{e00}-\u{e5b} ]{0,40}",
        "[東京妹猫のはがをですいつ什么时候是가나다에서 ]{0,40}",
        "[👩👧🎉👍🏽\u{200d}\u{fe0f}🇳🇴 a]{0,20}",
    ]
}

fn any_language() -> impl Strategy<Value = Option<Language>> {
    proptest::option::of(proptest::sample::select(Language::ALL.to_vec()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn documents_are_sorted_and_small(text in any_text(), language in any_language()) {
        let document = analyse_document(&text, language);
        prop_assert!(document.terms.windows(2).all(|pair| pair[0].text < pair[1].text));
        for term in &document.terms {
            prop_assert!(term.frequency > 0 && !term.text.is_empty());
            prop_assert!(term.text.chars().count() <= 64);
            prop_assert!(!term.text.chars().any(char::is_whitespace), "{:?}", term.text);
        }
        prop_assert_eq!(document.length == 0, document.terms.is_empty());
        prop_assert_eq!(&document, &analyse_document(&text, language));
    }

    /// Whatever the languages of the document and the question are taken for.
    #[test]
    fn a_text_finds_itself_by_every_word(
        text in any_text(), language in any_language(), asked in any_language(),
    ) {
        let document = analyse_document(&text, language);
        let languages: Vec<Language> = asked.into_iter().collect();
        let words = analyse_query(&text, &languages);
        prop_assert_eq!(words.is_empty(), document.terms.is_empty());
        for word in words {
            prop_assert!(word.weight > 0.0 && word.weight <= 1.0);
            let distinct: BTreeSet<&str> = word.terms().collect();
            prop_assert_eq!(distinct.len(), word.forms.len());
            let found = word.terms().any(|form| {
                document.terms.binary_search_by(|term| term.text.as_str().cmp(form)).is_ok()
            });
            prop_assert!(found, "{:?} not in {:?}", word, document);
        }
    }

    #[test]
    fn words_end_where_unicode_says(text in "[a-zäéñа-яα-ω \u{301}\u{900}-\u{939}!?;()]{0,60}") {
        use unicode_segmentation::UnicodeSegmentation;
        let expected: BTreeSet<String> = text
            .unicode_words()
            .flat_map(|word| analyse_document(word, None).terms)
            .map(|term| term.text)
            .collect();
        let found: BTreeSet<String> =
            analyse_document(&text, None).terms.into_iter().map(|term| term.text).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn detection_is_total_and_repeatable(text in any_text()) {
        prop_assert_eq!(detect(&text), detect(&text));
    }

    #[test]
    fn normalising_twice_changes_nothing(text in any_text()) {
        let once = normalise(&text);
        prop_assert_eq!(normalise(&once), once);
    }
}
