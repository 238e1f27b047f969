//! Tables of text.

/// `.634`; `1.000` only if it is; `-.020` below zero.
pub fn share(value: f64) -> String {
    let text = format!("{value:.3}");
    match text.strip_prefix('-') {
        Some("0.000") => ".000".to_owned(),
        Some(rest) => format!("-{}", rest.strip_prefix('0').unwrap_or(rest)),
        None => text.strip_prefix('0').map_or(text.clone(), str::to_owned),
    }
}

/// The rows, the first of them the header, with `names` columns to the left and
/// figures to the right. All rows have the same length.
pub fn aligned(rows: &[Vec<String>], names: usize) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width =
        |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or_default();
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(at, (cell, &width))| {
            if at < names { format!("{cell:width$}") } else { format!("{cell:>width$}") }
        });
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_three_digits() {
        let shown = [0.6341, 1.0, 0.0, -0.02, -0.00001, -1.0].map(share);
        assert_eq!(shown, [".634", "1.000", ".000", "-.020", ".000", "-1.000"]);
    }

    #[test]
    fn names_stand_left_and_figures_right() {
        let rows = [["é", "n"], ["long", "10"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(aligned(&rows, 1), "é      n\nlong  10\n");
    }
}
