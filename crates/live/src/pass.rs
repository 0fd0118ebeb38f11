//! Links and tokens: people and programs make and revoke them.

use crate::auth::{self, Secret};
use crate::{hall::waiting, room::Room};
use fracas_face::plain;
use fracas_kernel::{Seat, Viewer};
use fracas_store::{Db, DbError, Hash, NewPass, Pass, PassKind, Standing};
use std::sync::Arc;

/// The most letters of a token's label.
const LABEL: usize = 80;

/// The request for a link or token.
pub struct Wish {
    /// The kind of link or token.
    pub kind: PassKind,
    /// The role it is for.
    pub role: Viewer,
    /// The maker's words for its purpose.
    pub label: String,
    /// The maker.
    pub maker: Maker,
    /// The secret derived from the maker's key, if there is a key: requests with one key
    /// make one link or token.
    pub named: Option<Secret>,
}

/// The maker of a link or token.
#[derive(Clone, Copy)]
pub enum Maker {
    /// A person in their place: the hash of their browser's cookie, and their role.
    Browser(Hash, Viewer),
    /// The leader of the table: the same.
    Leader(Hash, Viewer),
    /// A program: the hash of its token, and its role.
    Token(Hash, Viewer),
    /// The server, for the people with whom a table is opened.
    Opening,
}

impl Maker {
    /// The maker's role.
    fn role(self) -> Viewer {
        match self {
            Maker::Browser(_, role) | Maker::Token(_, role) => role,
            Maker::Leader(..) | Maker::Opening => Viewer::Seat(Seat::Gm),
        }
    }

    /// The person or program that answers for it, and their role: it is revoked with them.
    fn answers(self) -> Option<(Hash, Viewer)> {
        match self {
            Maker::Opening => None,
            Maker::Browser(hash, role) | Maker::Leader(hash, role) | Maker::Token(hash, role) => {
                Some((hash, role))
            }
        }
    }
}

/// Why a link or token was not made.
#[derive(Debug, thiserror::Error)]
pub enum PassError {
    /// The maker may not make it.
    #[error("{0}")]
    NotYours(&'static str),
    /// The request contradicts itself.
    #[error("{0}")]
    Nonsense(&'static str),
    /// It was made under that key, and revoked.
    #[error("what was made under that name was taken back: take another name to make one anew")]
    TakenBack,
    /// Another was made under that key.
    #[error("another link or token was made under that name")]
    Otherwise,
    /// It cannot be saved.
    #[error(transparent)]
    Db(#[from] DbError),
    /// The system gives no random numbers.
    #[error("the system gives no random numbers")]
    Chance,
}

/// Makes a link or token. Its secret is kept nowhere.
pub async fn make(db: &Db, room: &Room, wish: Wish) -> Result<Secret, PassError> {
    let by = wish.maker.role();
    if !by.is_gm() && (wish.kind == PassKind::Invite || wish.role != by) {
        return Err(PassError::NotYours(
            "only the gamemaster makes links, and tokens for others: make one for your own seat",
        ));
    }
    if wish.kind == PassKind::Play && wish.role == Viewer::Spectator {
        return Err(PassError::Nonsense("a spectator does not play: make a token that reads"));
    }
    let sits = room.look(|table, _| match wish.role {
        Viewer::Spectator => true,
        Viewer::Seat(seat) => table.game().seats().iter().any(|info| info.seat == seat),
    });
    if sits != Some(true) {
        return Err(PassError::Nonsense("there is no such seat at this table"));
    }
    let label = plain::one_line(&wish.label, LABEL);
    if let Some(secret) = &wish.named
        && let Some(made) = db.pass(&secret.hash()).await?
    {
        if (&made.table, made.kind, made.role, &made.label) != (&room.id, wish.kind, wish.role, &label) {
            return Err(PassError::Otherwise);
        }
        return match db.pass_that_counts(&made.hash).await? {
            Some(_) => Ok(secret.clone()),
            None => Err(PassError::TakenBack),
        };
    }
    let mut passes = db.passes(&room.id).await?;
    passes.retain(|pass| pass.revoked.is_none());
    if has_all_passes(&passes, by, wish.maker.answers().map(|(maker, _)| maker)) {
        return Err(PassError::Nonsense(match by {
            Viewer::Seat(Seat::Gm) => "this table has too many links and tokens: take some back first",
            _ => "this seat has as many tokens as it may have: take some back first",
        }));
    }
    let named = wish.named.is_some();
    let secret = wish.named.or_else(Secret::new).ok_or(PassError::Chance)?;
    let added = db
        .add_pass(NewPass {
            hash: secret.hash(),
            table: room.id.clone(),
            kind: wish.kind,
            role: wish.role,
            label,
            made: auth::now(),
            maker: wish.maker.answers(),
        })
        .await;
    match added {
        // Two requests came at once.
        Err(DbError::Taken) if named => Ok(secret),
        added => added.map(|()| secret).map_err(PassError::from),
    }
}

/// Revokes a link or token. People who came by it lose their places.
pub async fn revoke(db: &Db, room: &Room, hash: Hash) -> Result<(), DbError> {
    db.revoke(&room.id, hash, auth::now()).await?;
    doors_moved(db, room).await
}

/// Admits, refuses or removes a person. With a removed person go the link by which they
/// came, and the links and tokens that they made.
pub async fn decide(
    db: &Db,
    room: &Arc<Room>,
    (browser, role): (Hash, Viewer),
    standing: Standing,
) -> Result<(), DbError> {
    let there = db.roles(&room.id, &browser).await?;
    let is_in = there.iter().any(|member| member.role == role && member.standing == Standing::Admitted);
    if is_in && standing == Standing::Refused {
        db.turn_out(&room.id, browser, role, auth::now()).await?;
    } else {
        db.set_standing(&room.id, browser, role, standing).await?;
    }
    if standing == Standing::Admitted && !is_in {
        sits_down(db, room, (browser, role)).await?;
    }
    doors_moved(db, room).await
}

/// Names a seat after the person who has come in, if nobody else sits there.
pub async fn sits_down(db: &Db, room: &Arc<Room>, (browser, role): (Hash, Viewer)) -> Result<(), DbError> {
    let Viewer::Seat(seat @ Seat::Player(_)) = role else { return Ok(()) };
    let members = db.members(&room.id).await?;
    let mut here =
        members.iter().filter(|member| member.role == role && member.standing == Standing::Admitted);
    if let (Some(only), None) = (here.next(), here.next())
        && only.browser == browser
    {
        room.call(seat, only.name.clone()).await;
    }
    Ok(())
}

/// Tells the table that access has changed.
pub async fn doors_moved(db: &Db, room: &Room) -> Result<(), DbError> {
    room.doors_moved(waiting(db, &room.id).await?);
    Ok(())
}

/// The most valid links and tokens of a table: far more than all but its gamemaster can have
/// made.
const PASSES: usize = 1_000;
/// The most tokens of one player's seat, or of one spectator.
const PASSES_EACH: usize = 20;
/// The most tokens of all spectators.
const PASSES_TO_WATCH: usize = 100;

/// Whether a maker has reached the limit of links and tokens, given the valid ones of their
/// table. Those of a seat count together.
fn has_all_passes(passes: &[Pass], by: Viewer, maker: Option<Hash>) -> bool {
    let tokens = || passes.iter().filter(|pass| pass.kind != PassKind::Invite && pass.role == by);
    match by {
        Viewer::Seat(Seat::Gm) => passes.len() >= PASSES,
        Viewer::Seat(_) => tokens().count() >= PASSES_EACH,
        Viewer::Spectator => {
            tokens().count() >= PASSES_TO_WATCH
                || tokens().filter(|pass| pass.maker == maker).count() >= PASSES_EACH
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fracas_store::TableId;

    const ANA: Viewer = Viewer::Seat(Seat::Player(0));
    const GM: Viewer = Viewer::Seat(Seat::Gm);

    #[test]
    fn no_seat_uses_up_the_tokens_of_another() {
        let pass = |n: usize, role, maker: u8| Pass {
            hash: [n as u8; 32],
            table: TableId::new("a").expect("an id"),
            kind: PassKind::Read,
            role,
            label: String::new(),
            made: 0,
            revoked: None,
            maker: Some([maker; 32]),
        };
        let most = |role: Viewer, maker: u8, passes: &mut Vec<Pass>| {
            while !has_all_passes(passes, role, Some([maker; 32])) {
                passes.push(pass(passes.len(), role, maker));
            }
            passes.len()
        };
        let mut passes = Vec::new();
        assert_eq!(most(ANA, 1, &mut passes), 20);
        assert_eq!(most(ANA, 2, &mut passes), 20, "with another token of hers too");
        assert_eq!(most(Viewer::Spectator, 3, &mut passes), 40);
        assert_eq!(most(Viewer::Spectator, 4, &mut passes), 60);
        for maker in 5..99 {
            most(Viewer::Spectator, maker, &mut passes);
        }
        assert_eq!(passes.len(), 120);
        assert!(!has_all_passes(&passes, Viewer::Seat(Seat::Player(1)), None));
        assert_eq!(most(GM, 99, &mut passes), 1_000);
    }
}
