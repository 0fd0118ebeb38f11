//! The table drawn: whose turn it is, how far they are, and who is out.

use crate::{At, Template, table::*};
use fracas_kernel::{Area, Game, Stage, Viewer, Words};

/// The table as this viewer may see it drawn.
pub(crate) fn stage(at: At<'_>, who: Viewer) -> Stage {
    let cards = Template::cards(at.rules, at.state, who);
    let mut stage = Stage::of(&cards, &Template::seats(at.rules));
    stage = stage.after(&Template::ending(at.rules, at.state, who));
    let slug = |who: Char| at.rules.cast[who.index()].slug.as_str();
    if let Some(token) = at.state.turn(at.rules).and_then(|who| stage.token_mut(slug(who))) {
        token.acts = true;
    }
    for (title, is_across) in [("in the marsh", false), ("across", true)] {
        let there =
            at.rules.everybody().filter(|&who| (at.state.walker(who).pace == at.rules.paces) == is_across);
        let tokens = there.map(|who| slug(who).to_owned()).collect();
        stage.places.push(Area { title: title.to_owned(), tokens });
    }
    stage
}
