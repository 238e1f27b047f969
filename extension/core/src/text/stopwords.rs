//! Words that hold a sentence together and say little about its subject.
//!
//! The lists are closed classes (articles, pronouns, prepositions,
//! conjunctions, auxiliary verbs, question words), not the most frequent words
//! of some corpus. They also tell languages apart, see `detect`.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::fold::fold;
use super::language::{Language, Script};

/// No stop word is longer.
const MAX_BYTES: usize = 40;

static LANGUAGES: LazyLock<HashMap<String, u32>> = LazyLock::new(|| {
    let mut languages: HashMap<String, u32> = HashMap::new();
    for (language, words) in LISTS {
        for word in words.split_whitespace() {
            *languages.entry(key(word)).or_default() |= language.bit();
        }
    }
    languages
});

/// What a word is looked up by. In Latin letters a diacritic makes another
/// word (Norwegian `bør` should, `bor` lives); elsewhere it is often left out.
fn key(word: &str) -> String {
    match Script::of_word(word) {
        Script::Latin => word.to_lowercase(),
        _ => fold(word),
    }
}

/// The set of languages, as bits, in which a word is a stop word.
pub(crate) fn languages_of(word: &str) -> u32 {
    if word.len() > MAX_BYTES {
        return 0;
    }
    LANGUAGES.get(&key(word)).copied().unwrap_or(0)
}

/// Whether a word says nothing in a document of this language.
pub(crate) fn is_stop_word(word: &str, language: Option<Language>) -> bool {
    languages_of(word) & language.unwrap_or(Language::English).bit() != 0
}

/// Whether a word says nothing in a question. English is presumed only when no
/// language was recognised, because its stop words are words that say
/// something elsewhere (German `Not`, Dutch `me`, Norwegian `her`).
pub(crate) fn is_question_stop_word(word: &str, languages: &[Language]) -> bool {
    let presumed = if languages.is_empty() { Language::English.bit() } else { 0 };
    let asked = languages.iter().fold(presumed, |bits, language| bits | language.bit());
    languages_of(word) & asked != 0
}

const LISTS: [(Language, &str); 21] = [
    (Language::English, "
        a an the this that these those i me my mine myself we us our ours ourselves you your yours yourself
        yourselves he him his himself she her hers herself it its itself they them their theirs themselves
        who whom whose which what when where why how whether
        am is are was were be been being do does did doing done have has had having
        can could will would shall should may might must ought
        cannot cant couldnt wont wouldnt shouldnt dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt
        aint mustnt neednt
        and or but nor if because as until while although though since unless than so yet
        of at by for with about against between into through during before after above below to from up down
        in out on off over under upon within without toward towards onto
        again further then once here there all any both each few more most other others another some such
        no not only own same too very just also even ever still now
        every either neither much many
        let s t d m re ve ll
    "),
    (Language::German, "
        der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner keines
        ich mich mir mein meine meinen meinem meiner meines du dich dir dein deine deinen deinem deiner er ihn ihm
        sein seine seinen seinem seiner seines sie ihr ihre ihren ihrem ihrer ihres es wir uns unser unsere unseren
        unserem unserer euch euer eure man sich wer wen wem wessen was wann wo wohin woher warum wieso weshalb wie
        welche welcher welches welchen welchem bin bist ist sind seid war warst waren wart gewesen habe hast hat
        haben hatte hattest hatten gehabt werde wirst wird werden wurde wurden würde würden worden kann kannst können konnte
        konnten könnte könnten muss musst müssen musste mussten müsste müssten soll sollen sollte sollten will willst wollen wollte wollten darf
        dürfen mag möchte möchten
        und oder aber denn sondern wenn weil dass ob als damit obwohl bevor nachdem während
        in im an am auf aus bei beim mit nach von vom zu zum zur vor über unter durch für gegen ohne um bis seit
        zwischen hinter neben
        nicht noch nur auch schon sehr so dann da hier dort jetzt nun doch etwa mehr alle allem allen aller alles
        jede jeder jedes jeden jedem diese dieser dieses diesen diesem jene jener dies also wieder immer
    "),
    (Language::Norwegian, "
        jeg meg min mi mitt mine du deg din di ditt dine han ham hans hun henne hennes det den dem de deres vi oss
        vår vårt våre dere seg sin si sitt sine en ei et ett hva hvem hvor når hvorfor hvordan hvilken hvilket
        hvilke hvis er var vært være blir ble blitt bli har hadde hatt ha kan kunne skal skulle vil ville må måtte
        bør burde får fikk gjør gjorde
        og eller men for fordi at om som da mens enn så
        i på av til fra med ved hos under over mellom gjennom etter før mot uten inn ut opp ned
        ikke ingen noe noen alle alt bare også også her der nå dette denne disse selv slik meget mye hver hverandre
        ikkje eg me dykk kva kven korleis kvifor frå
    "),
    (Language::Danish, "
        jeg mig min mit mine du dig din dit dine han ham hans hun hende hendes det den dem de deres vi os vores jer
        jeres sig sin sit sine en et hvad hvem hvor hvornår hvorfor hvordan hvilken hvilket hvilke hvis er var
        været være bliver blev blevet blive har havde haft have kan kunne skal skulle vil ville må måtte bør burde
        får fik gør gjorde og eller men for fordi at om som da mens end så
        i på af til fra med ved hos under over mellem gennem efter før mod uden ind ud op ned
        ikke ingen noget nogen nogle alle alt kun også her der nu dette denne disse selv sådan meget hver hinanden
    "),
    (Language::Swedish, "
        jag mig min mitt mina du dig din ditt dina han honom hans hon henne hennes det den dem de deras dom vi oss
        vår vårt våra ni er ert era sig sin sitt sina en ett vad vem vars var när varför hur vilken vilket vilka
        är varit vara blir blev blivit bli har hade haft ha kan kunde ska skall skulle vill ville måste bör borde
        får fick gör gjorde och eller men för att om som då medan än så eftersom
        i på av till från med vid hos under över mellan genom efter före mot utan in ut upp ner ned åt
        inte ingen inget inga något någon några alla allt bara också här där nu detta denna dessa själv sådan
        mycket varje varandra
    "),
    (Language::Dutch, "
        de het een ik mij me mijn jij je jou jouw u uw hij hem zijn zij ze haar wij we ons onze jullie hun hen zich
        wie wat wanneer waar waarom hoe welke welk wiens ben bent is was waren geweest heb hebt heeft hebben had
        hadden gehad word wordt worden werd werden geworden kan kunt kunnen kon konden moet moeten moest moesten
        zal zult zullen zou zouden wil wilt willen wilde wilden mag mogen mocht
        en of maar want omdat dat als dan toen terwijl hoewel voordat nadat
        in op aan uit bij met naar van voor over onder door tegen zonder om tot te ter ten tussen achter naast
        niet geen nog alleen ook al heel zeer zo hier daar er nu toch meer alle alles elke elk ieder iedere deze
        dit die wel iets iemand niets niemand zelf hun
    "),
    (Language::French, "
        le la les un une des du de au aux je me moi mon ma mes tu te toi ton ta tes il lui son sa ses elle on nous
        notre nos vous votre vos ils elles eux leur leurs se soi ce cet cette ces ceci cela ça qui que quoi dont où
        quand pourquoi comment quel quelle quels quelles lequel laquelle lesquels
        suis es est sommes êtes sont était étais étaient être fut ai as a avons avez ont avait avais avaient eu
        avoir peut peux peuvent pouvait doit dois doivent fait faire va vais vont
        et ou mais donc car ni si parce comme lorsque puisque
        dans en à par pour sur sous avec sans chez vers entre depuis pendant avant après contre
        ne pas plus non rien jamais aussi très y là ici alors tout toute tous toutes même mêmes autre autres
        chaque quelque quelques aucun aucune encore déjà
        l d j m n s t c qu
    "),
    (Language::Spanish, "
        el la los las lo un una unos unas al del de yo me mi mis mí tú te tu tus ti él su sus ella ello nosotros
        nosotras nos nuestro nuestra nuestros nuestras vosotros vosotras os vuestro vuestra usted ustedes ellos
        ellas le les se sí este esta estos estas ese esa esos esas aquel aquella esto eso qué que quién quien
        quiénes cuándo cuando dónde donde por porqué cómo como cuál cual cuáles cuánto cuánta cuántos cuántas
        soy eres es somos son era eras eran fue fueron fui sido ser estoy está están estaba estaban estado estar
        he has ha hemos han había habían haber tengo tiene tienen tenía tener puede pueden podía debe deben
        hay y e o u pero sino porque si aunque mientras pues
        en a con sin para sobre entre desde hasta hacia según contra durante ante bajo tras
        no ni nada nunca también tampoco muy más menos ya aquí allí ahora entonces todo toda todos todas otro otra
        otros otras mismo misma cada algún alguna algo alguien
    "),
    (Language::Italian, "
        il lo la i gli le un uno una l di del dello della dei degli delle a al allo alla ai agli alle da dal dallo
        dalla dai dalle in nel nello nella nei negli nelle su sul sullo sulla sui sulle con per tra fra
        io me mi mio mia miei mie tu te ti tuo tua tuoi tue lui lei egli suo sua suoi sue noi ci nostro nostra voi
        vi vostro vostra loro si sé questo questa questi queste quello quella quelli quelle ciò che chi cui quando
        dove perché come quale quali quanto quanta quanti quante
        sono sei è siamo siete era eri erano stato stata stati essere fu ho hai ha abbiamo avete hanno aveva avevano
        avere può possono poteva deve devono fa fare va c
        e ed o ma però anche se perchè mentre dunque quindi né non più più mai già molto poco tutto tutta tutti
        tutte altro altra altri altre stesso stessa ogni qui qua lì là ora ancora così cosa
        d n s m t v
    "),
    (Language::Portuguese, "
        o a os as um uma uns umas de do da dos das em no na nos nas ao à aos às por pelo pela pelos pelas para pra
        com sem sobre sob entre desde até contra durante eu me mim meu minha meus minhas tu te teu tua teus tuas
        você vocês ele ela eles elas lhe lhes seu sua seus suas nós nosso nossa nossos nossas se si este esta estes
        estas isto esse essa esses essas isso aquele aquela aquilo que quem quando onde porque como qual quais
        quanto quanta quantos quantas sou é somos são era eram fui foi foram sido ser estou está estão estava
        estavam estar tenho tem têm tinha tinham ter há havia haver pode podem podia deve devem
        e ou mas nem pois embora enquanto porém não nunca nada também muito mais menos já aqui ali lá agora então
        todo toda todos todas outro outra outros outras mesmo mesma cada algum alguma algo alguém ainda
    "),
    (Language::Romanian, "
        un o unui unei niște eu mă mie mi meu mea mei mele tu te ție ți tău ta tăi tale el ea îl îi lui ei noi ne
        nouă nostru noastră voi vă vouă vostru lor ele se sine își său sa săi sale acest această acești aceste
        acel acea acei acele care ce cine când unde cum cât câtă câți câte sunt ești este e suntem sunteți era
        erau fost fi am ai are avem aveți au avea aveam poate pot trebuie va vor voi
        și sau dar iar însă ori că să dacă deși pentru de la din în pe cu fără prin până spre sub între după
        înainte lângă nu nici mai foarte tot toți toată toate alt altă alți fiecare aici acolo acum atunci
    "),
    (Language::Finnish, "
        minä minun minua minut minulla minulle sinä sinun sinua sinut sinulla hän hänen häntä hänet hänellä hänelle
        me meidän meitä te teidän teitä he heidän heitä se sen sitä siinä siitä siihen ne niiden niitä tämä tämän
        tätä tässä tästä nämä tuo tuon nuo kuka kenen ketä mikä mitä minkä missä mistä mihin milloin miksi miten
        kuinka jolla joka jonka jota jotka jossa millainen
        olen olet on olemme olette ovat oli olin olit olivat ollut olla ole voi voin voivat pitää täytyy
        ja tai vai mutta sekä että jos kun koska vaikka kuin niin
        ei en et emme ette eivät älä myös vain vielä jo nyt sitten täällä siellä hyvin kaikki joku jotain mukaan
        kanssa ilman ennen jälkeen yli alle
    "),
    (Language::Hungarian, "
        a az egy én engem nekem te téged neked ő őt neki mi minket ti ők nekik ez azt ezt ezek azok ebben abban
        erre arra ki kit kinek mit mikor hol hová honnan miért hogyan milyen melyik hány mennyi
        vagyok vagy van vannak volt voltam voltak lesz lett lenni legyen volna kell lehet
        és meg de ha hogy mert mint mind pedig is se sem nem ne igen csak még már most itt ott így úgy majd
        minden mindig nagyon után előtt alatt között felett mellett által szerint amely ami aki akik amit
    "),
    (Language::Turkish, "
        ben beni bana benim bende biz bizi bize bizim sen seni sana senin siz sizi size sizin o onu ona onun onlar
        onları onlara onların bu bunu buna bunun şu şunu ne neden niçin niye nasıl nerede nereye nereden kim kimi
        kime kimin hangi kaç zaman
        ve veya ya ile ama fakat ancak çünkü eğer ki de da mi mı mu mü için gibi kadar göre sonra önce üzere
        değil var yok çok daha en her bir bazı hiç hep bütün tüm şey ise idi olan olarak oldu olur olmak etti
    "),
    (Language::Russian, "
        я меня мне мной мой моя моё мои моего моей ты тебя тебе тобой твой твоя твоё твои он его ему им нём она её
        ей ней оно мы нас нам нами наш наша наше наши вы вас вам вами ваш ваша ваше ваши они их ими них себя себе
        свой своя своё свои своего своей это этот эта эти этого этой тот та то те того кто кого кому кем что чего
        чему чем какой какая какое какие который которая которое которые где куда откуда когда почему зачем как
        сколько чей чья есть был была было были быть будет будут
        и а но или да если чтобы потому хотя ли же бы
        в во на с со к ко о об от из за по под над при для до без у через между перед после около
        не ни нет ещё уже только также тоже очень так там тут здесь теперь тогда вот все всё всех весь вся каждый
        другой сам сама
    "),
    (Language::Greek, "
        ο η το οι τα του της των τον την τους τις στο στη στην στον στους στις στα ένας μια μία ένα εγώ εμένα με
        μου εσύ εσένα σε σου αυτός αυτή αυτό αυτοί αυτές αυτά αυτόν αυτήν εμείς μας εσείς σας ποιος ποια ποιο ποιοι
        ποιον τι πότε πού που γιατί πώς πως πόσο πόσα πόσοι όταν όπου είμαι είσαι είναι είμαστε ήταν ήμουν έχω
        έχεις έχει έχουμε έχουν είχε είχα είχαν θα να
        και κι ή αλλά όμως αν ότι επειδή ενώ ώστε όπως
        από για προς κατά μετά πριν χωρίς μέχρι παρά αντί δεν μην μη ναι όχι πολύ πιο εδώ εκεί τώρα τότε κάθε όλα
        όλοι όλη
    "),
    (Language::Arabic, "
        في من إلى الى على عن مع بين بعد قبل عند حتى منذ خلال حول بدون ضد لدى نحو
        أنا انا نحن أنت أنتم هو هي هم هن هذا هذه ذلك تلك هؤلاء الذي التي الذين ما ماذا من متى أين كيف لماذا لم
        كم أي هل كان كانت كانوا يكون تكون ليس ليست لا لن قد سوف و أو ثم لكن بل أن إن أنه إنه إذا لأن كما كل بعض
        غير أيضا فقط جدا هنا هناك الآن به بها له لها فيه فيها منه منها عليه عليها إليه إليها لي لك لنا
    "),
    (Language::Hebrew, "
        אני אתה את אתם הוא היא אנחנו הם הן שלי שלך שלו שלה שלנו שלהם אותי אותו אותה אותם לי לך לו לה לנו להם
        זה זאת זו אלה מי מה מתי איפה היכן לאן מאיפה למה מדוע איך כמה איזה איזו היה היתה הייתה היו יהיה להיות יש אין
        של על אל עם בין אחרי לפני בלי עד כמו תחת מן
        ו או אבל כי אם גם רק לא כן עוד מאוד כבר פה כאן שם עכשיו אז כל אשר ש ה ב ל מ כ
    "),
    (Language::Hindi, "
        मैं मैंने मुझे मेरा मेरी मेरे हम हमें हमारा हमारी हमारे तुम तुम्हें तुम्हारा तू आप आपका आपकी आपके आपको वह वे उस उसे उसने
        उसका उसकी उसके उन उन्हें उनका उनकी उनके यह ये इस इसे इसका इसकी इसके जो जिस कौन किस किसने किसका किसकी क्या कब कहाँ
        क्यों कैसे कैसा कितना कितने कितनी है हैं हूँ हो था थी थे होगा होना हुआ हुई हुए रहा रही रहे गया गई गए
        का की के को से में पर तक ने और या लेकिन मगर अगर तो कि क्योंकि भी ही नहीं न मत बहुत अब यहाँ वहाँ तब सब साथ लिए एक
    "),
    (Language::Tamil, "
        நான் என் எனது என்னை எனக்கு நாம் நாங்கள் எங்கள் நீ நீங்கள் உன் உங்கள் அவன் அவள் அவர் அவர்கள் அது அவை இது இந்த
        அந்த எந்த யார் என்ன எப்போது எங்கே ஏன் எப்படி எவ்வளவு எத்தனை ஒரு மற்றும் அல்லது ஆனால் என்று இல்லை உள்ளது
        இருந்தது இருக்கிறது மிகவும் தான் உம்
    "),
    (Language::Korean, "
        나 나는 내가 나의 내 너 너는 네가 우리 그 그는 그녀 그녀는 그들 이 저 이것 그것 저것 누구 누가 무엇 무엇을 뭐 언제 어디 어디서
        어디에 어디에서 왜 어떻게 어느 어떤 무슨 몇 얼마나 그리고 그러나 하지만 또는 및 은 는 가 을 를 에 의 도 로 와 과 수 것 등
        있다 있는 있었다 없다 했다 한다 하는 이다 입니다 합니다 했습니까 합니까 입니까 인가요 있나요 했나요 하나요
    "),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_belong_to_their_language() {
        assert!(is_stop_word("The", Some(Language::English)));
        assert!(!is_stop_word("the", Some(Language::German)));
        assert!(is_stop_word("FÜR", Some(Language::German)));
        assert!(is_stop_word("ΠΟΙΟΣ", Some(Language::Greek)));
        assert!(is_stop_word("bør", Some(Language::Norwegian)));
        assert!(!is_stop_word("bor", Some(Language::Norwegian)));
        assert!(!is_question_stop_word("Not", &[Language::German]));
        assert!(is_question_stop_word("not", &[]));
    }

    #[test]
    fn no_listed_word_is_too_long_to_be_looked_up() {
        let longest = LANGUAGES.keys().map(String::len).max();
        assert!(longest.is_some_and(|length| length <= MAX_BYTES), "{longest:?}");
    }
}
