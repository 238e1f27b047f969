//! After which words a thing has one value at a time.

/// Words before a value, the last ones first compared: roots of the language.
pub const FRAMES: &[&[&str]] = &[
    &["live", "in"],
    &["live", "at"],
    &["reside", "in"],
    &["work", "at"],
    &["work", "for"],
    &["work", "as"],
    &["study", "at"],
    &["bear", "in"],
    &["call"],
    &["name"],
    &["marry", "to"],
    &["write", "by"],
    &["found", "by"],
    &["paint", "by"],
    &["direct", "by"],
    &["come", "from"],
    &["belong", "to"],
    &["report", "to"],
    &["locate", "in"],
    &["base", "in"],
    &["sit", "next", "to"],
    // de
    &["wohnt", "in"],
    &["lebt", "in"],
    &["heisst"],
    &["arbeitet", "bei"],
    &["arbeitet", "als"],
    &["stammt", "aus"],
    // fr
    &["habite", "à"],
    &["habite"],
    &["vit", "à"],
    &["appelle"],
    &["travaille", "chez"],
    // es
    &["vive", "en"],
    &["llama"],
    // zh
    &["住", "在"],
    &["叫"],
];

/// What somebody or something has one of.
pub const ATTRIBUTES: &[&str] = &[
    "name", "surname", "nickname", "birthday", "birthplace", "age", "height", "weight", "address",
    "password", "passphrase", "pin", "code", "number", "email", "e-mail", "mail", "hometown",
    "type", "group", "capital", "boss", "manager", "supervisor", "landlord", "husband", "wife",
    "spouse", "mother", "father", "nationality", "profession", "job", "employer", "size", "plate",
    "seat", "deadline", "budget", "rent", "salary", "price", "cost", "fee", "mayor", "president",
    "owner", "author", "director", "captain", "winner", "tongue", "language", "color", "favorite",
    "username", "version", "colour", "eye", "hair",
];
