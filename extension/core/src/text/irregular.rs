//! English forms that no rule of endings explains.
//!
//! People ask "when did she go" and wrote "I went". Verbs whose past is also a
//! common word of its own (`lay`, `saw` as a tool, `found` an institute) are
//! mapped when the verb is by far the more frequent reading.

use std::collections::HashMap;
use std::sync::LazyLock;

static BASE_FORMS: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    TABLE
        .lines()
        .filter_map(|line| line.split_once(':'))
        .flat_map(|(base, forms)| forms.split_whitespace().map(move |form| (form, base)))
        .collect()
});

/// The base form of an irregular English form in lower case.
pub(crate) fn base_form(word: &str) -> Option<&'static str> {
    if word.len() > 12 || !word.is_ascii() {
        return None;
    }
    BASE_FORMS.get(word).copied()
}

const TABLE: &str = "\
arise:arose arisen
awake:awoke awoken
beat:beaten
become:became
begin:began begun
bend:bent
bite:bit bitten
bleed:bled
blow:blew blown
break:broke broken
bring:brought
build:built
burn:burnt
buy:bought
catch:caught
choose:chose chosen
come:came
cling:clung
creep:crept
deal:dealt
dig:dug
draw:drew drawn
dream:dreamt
drink:drank drunk
drive:drove driven
eat:ate eaten
fall:fell fallen
feed:fed
feel:felt
fight:fought
find:found
flee:fled
fly:flew flown
forbid:forbade forbidden
forget:forgot forgotten
forgive:forgave forgiven
freeze:froze frozen
get:got gotten
give:gave given
go:went gone goes
grow:grew grown
hang:hung
hear:heard
hide:hid hidden
hold:held
keep:kept
kneel:knelt
know:knew known
lead:led
leap:leapt
learn:learnt
leave:left
lend:lent
light:lit
lose:lost
make:made
mean:meant
meet:met
mislead:misled
overcome:overcame
pay:paid
ride:rode ridden
ring:rang rung
rise:rose risen
run:ran
say:said
see:saw seen
seek:sought
sell:sold
send:sent
shake:shook shaken
shine:shone
shoot:shot
show:shown
shrink:shrank shrunk
sing:sang sung
sink:sank sunk
sit:sat
sleep:slept
slide:slid
speak:spoke spoken
spend:spent
spin:spun
spring:sprang sprung
stand:stood
steal:stole stolen
stick:stuck
sting:stung
strike:struck stricken
swear:swore sworn
sweep:swept
swim:swam swum
swing:swung
take:took taken
teach:taught
tear:tore torn
tell:told
think:thought
throw:threw thrown
understand:understood
undertake:undertook undertaken
wake:woke woken
wear:wore worn
weep:wept
win:won
withdraw:withdrew withdrawn
write:wrote written
child:children
foot:feet
goose:geese
man:men
mouse:mice
person:people
tooth:teeth
woman:women
calf:calves
half:halves
knife:knives
leaf:leaves
life:lives
loaf:loaves
shelf:shelves
wife:wives
wolf:wolves
analysis:analyses
crisis:crises
hypothesis:hypotheses
criterion:criteria
phenomenon:phenomena
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_form_has_two_bases_and_no_base_is_a_form() {
        let forms =
            TABLE.lines().flat_map(|l| l.split(':').nth(1).unwrap_or("").split_whitespace());
        assert_eq!(forms.count(), BASE_FORMS.len());
        for base in BASE_FORMS.values() {
            assert_eq!(base_form(base), None, "{base}");
        }
        assert_eq!(base_form("went"), Some("go"));
    }
}
