//! The ablation as a table.

use std::fmt::Write;

use super::plain::VARIANTS;
use super::{Report, Variant};

/// The report as Markdown.
pub fn table(report: &Report) -> String {
    let mut text = String::from("| recall@5 | questions |");
    for variant in Variant::ALL {
        let _ = write!(text, " {} |", variant.name());
    }
    text.push_str("\n|---|---|");
    text.push_str(&"---|".repeat(Variant::ALL.len()));
    text.push('\n');
    for used in &report.used {
        let _ = write!(text, "| use-{} | {} |", used.set, used.questions);
        for figure in &used.figures {
            let bold = if used.made_for.contains(&figure.variant) { "**" } else { "" };
            let _ = write!(text, " {bold}{:.3}{bold} |", figure.recall_5);
        }
        text.push('\n');
    }
    if !report.plain.is_empty() {
        text.push_str("\n| plain sets, half used | questions | figure |");
        for variant in VARIANTS {
            let _ = write!(text, " {} |", variant.name());
        }
        text.push_str("\n|---|---|---|");
        text.push_str(&"---|".repeat(VARIANTS.len()));
        text.push('\n');
    }
    for plain in &report.plain {
        for (metric, figures) in &plain.figures {
            let _ = write!(text, "| {} | {} | {metric} |", plain.set, plain.questions);
            for figure in figures {
                let _ = write!(text, " {figure:.4} |");
            }
            text.push('\n');
        }
    }
    text
}
