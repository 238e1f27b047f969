//! Countries and regions: who lives in one may live in a city of it.

const COUNTRIES: &[&str] = &[
    "africa", "america", "asia", "australia", "austria", "bavaria", "belgium", "brazil", "britain",
    "bulgaria", "california", "canada", "chile", "china", "colombia", "croatia", "cuba", "cyprus",
    "czechia", "denmark", "egypt", "england", "estonia", "ethiopia", "europe", "finland", "florida",
    "france", "germany", "ghana", "greece", "hungary", "iceland", "india", "indonesia", "iran",
    "iraq", "ireland", "israel", "italy", "japan", "kenya", "korea", "latvia", "lebanon",
    "lithuania", "luxembourg", "malaysia", "malta", "mexico", "morocco", "nepal", "netherlands",
    "nigeria", "norway", "pakistan", "peru", "philippines", "poland", "portugal", "romania",
    "russia", "scotland", "serbia", "sicily", "singapore", "slovakia", "slovenia", "spain",
    "sweden", "switzerland", "syria", "taiwan", "texas", "thailand", "tunisia", "turkey", "tuscany",
    "uk", "ukraine", "usa", "vietnam", "wales", // as German, French and Spanish write them
    "deutschland", "oesterreich", "schweiz", "frankreich", "italien", "spanien", "bayern",
    "allemagne", "autriche", "suisse", "italie", "espagne", "belgique", "alemania", "españa",
    "francia", "italia", "suiza", "méxico", "norddeutschland",
];

/// Whether a word is the name of a country or a region.
pub fn is_country(word: &str) -> bool {
    COUNTRIES.contains(&word)
}
