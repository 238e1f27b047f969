//! The vocabulary: word pieces and their ids, in half a megabyte.
//!
//! The file's own bytes are the strings; beside them there are an offset for each piece and an
//! open-addressed table of 16-bit ids, so that no string is allocated on its own.

use std::fs;
use std::path::Path;

use crate::error::OpenError;

/// Marks a free place of the table; so an id is below it.
const FREE: u16 = u16::MAX;
/// What a piece within a word begins with in the file.
const CONTINUATION: &[u8] = b"##";

/// The ids of the five markers, which are also recognised when a text spells them out.
pub(crate) const MARKERS: [&str; 5] = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];

/// Word pieces and their ids.
pub(crate) struct Vocab {
    bytes: Vec<u8>,
    /// Start of each piece in `bytes`, and one more for the end.
    starts: Vec<u32>,
    table: Vec<u16>,
    /// Bytes of the longest piece without its continuation mark.
    longest: usize,
    markers: [u16; 5],
}

impl Vocab {
    /// Reads `vocab.txt`: one piece a line, its id is the line's number from 0.
    pub(crate) fn open(path: &Path) -> Result<Self, OpenError> {
        let text = fs::read(path).map_err(|source| OpenError::io(path, source))?;
        Self::parse(text).map_err(|reason| OpenError::corrupt(path, reason))
    }

    fn parse(text: Vec<u8>) -> Result<Self, String> {
        let text = String::from_utf8(text).map_err(|_| "it is not UTF-8")?;
        u32::try_from(text.len()).map_err(|_| "it is too long")?;
        let mut bytes = Vec::with_capacity(text.len());
        let mut starts = vec![0];
        for line in text.lines() {
            bytes.extend_from_slice(line.trim_end().as_bytes());
            starts.push(bytes.len() as u32);
        }
        let count = starts.len() - 1;
        if count >= usize::from(FREE) {
            return Err(format!("it has {count} lines, more than 16 bits can number"));
        }
        let places = (2 * count).next_power_of_two();
        let mut vocab =
            Self { bytes, starts, table: vec![FREE; places], longest: 0, markers: [0; 5] };
        for id in 0..count as u16 {
            vocab.insert(id)?;
        }
        for (place, marker) in MARKERS.iter().enumerate() {
            vocab.markers[place] = vocab
                .find(false, marker.as_bytes())
                .ok_or_else(|| format!("it lacks the piece {marker}"))?;
        }
        Ok(vocab)
    }

    fn insert(&mut self, id: u16) -> Result<(), String> {
        let piece = self.piece(id);
        let (continues, body) = match piece.strip_prefix(CONTINUATION) {
            Some(body) if !body.is_empty() => (true, body),
            _ => (false, piece),
        };
        if body.is_empty() {
            return Err(format!("line {} is empty", u32::from(id) + 1));
        }
        let longest = self.longest.max(body.len());
        let mut place = self.first_place(continues, body);
        while self.table[place] != FREE {
            if self.piece(self.table[place]) == piece {
                return Err(format!("line {} occurs twice", u32::from(id) + 1));
            }
            place = self.next_place(place);
        }
        self.table[place] = id;
        self.longest = longest;
        Ok(())
    }

    /// How many pieces there are.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The id of the marker at that place in [`MARKERS`].
    pub(crate) fn marker(&self, place: usize) -> u16 {
        self.markers[place]
    }

    pub(crate) fn unknown(&self) -> u16 {
        self.markers[1]
    }

    pub(crate) fn cls(&self) -> u16 {
        self.markers[2]
    }

    pub(crate) fn sep(&self) -> u16 {
        self.markers[3]
    }

    /// No piece has more bytes than this, the continuation mark not counted.
    pub(crate) fn longest(&self) -> usize {
        self.longest
    }

    /// The id of a piece at the start of a word or, if `continues`, within one.
    pub(crate) fn find(&self, continues: bool, body: &[u8]) -> Option<u16> {
        let mut place = self.first_place(continues, body);
        loop {
            let id = self.table[place];
            if id == FREE {
                return None;
            }
            let piece = self.piece(id);
            let rest = if continues { piece.strip_prefix(CONTINUATION) } else { Some(piece) };
            if rest == Some(body) {
                return Some(id);
            }
            place = self.next_place(place);
        }
    }

    fn piece(&self, id: u16) -> &[u8] {
        let id = usize::from(id);
        &self.bytes[self.starts[id] as usize..self.starts[id + 1] as usize]
    }

    fn first_place(&self, continues: bool, body: &[u8]) -> usize {
        // FNV-1a: short keys, no adversary (the table's contents are fixed when it is built).
        let mut hash: u64 = if continues { 0x84222325_cbf29ce4 } else { 0xcbf29ce4_84222325 };
        for &byte in body {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
        (hash ^ (hash >> 32)) as usize & (self.table.len() - 1)
    }

    fn next_place(&self, place: usize) -> usize {
        (place + 1) & (self.table.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::*;

    const SMALL: &str = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n##a\nab\n";

    #[test]
    fn tells_starts_from_continuations() {
        let vocab = Vocab::parse(SMALL.into()).unwrap();
        assert_eq!(vocab.len(), 8);
        assert_eq!(vocab.find(false, b"a"), Some(5));
        assert_eq!(vocab.find(true, b"a"), Some(6));
        assert_eq!(vocab.find(false, b"ab"), Some(7));
        assert_eq!(vocab.find(true, b"ab"), None);
        assert_eq!((vocab.unknown(), vocab.cls(), vocab.sep()), (1, 2, 3));
    }

    #[test]
    fn line_ends_of_other_systems_do_not_matter() {
        let vocab = Vocab::parse(SMALL.replace('\n', "\r\n").into()).unwrap();
        assert_eq!(vocab.find(false, b"ab"), Some(7));
    }

    #[test]
    fn damage_is_reported() {
        for (text, reason) in [
            ("", "lacks the piece [PAD]"),
            ("[PAD]\n[UNK]\n[CLS]\n[MASK]\n", "lacks the piece [SEP]"),
            ("a\na\n", "line 2 occurs twice"),
            ("a\n\nb\n", "line 2 is empty"),
        ] {
            let error = Vocab::parse(text.into()).err().unwrap();
            assert!(error.contains(reason), "{error}");
        }
        assert!(Vocab::parse(vec![0xff, b'\n']).is_err());
    }
}
