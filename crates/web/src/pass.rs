//! Links and tokens: made and taken back, by people and by programs.

use crate::{
    app::App,
    auth::{self, Secret},
    hall::waiting,
    limits,
    room::Room,
};
use axum::http::HeaderMap;
use fracas_face::plain;
use fracas_kernel::{Seat, Viewer};
use fracas_store::{DbError, Hash, NewPass, PassKind, Standing};
use std::sync::Arc;

/// The most letters of what a token is for.
const LABEL: usize = 80;

/// A link or a token that is wanted.
pub(crate) struct Wish {
    /// What it is to allow.
    pub(crate) kind: PassKind,
    /// As whom.
    pub(crate) role: Viewer,
    /// What it is for, in somebody's words.
    pub(crate) label: String,
    /// Whoever makes it.
    pub(crate) maker: Maker,
    /// Its secret, where whoever makes it has named it: then the same one is made once,
    /// however often it is asked for.
    pub(crate) named: Option<Secret>,
}

/// Whoever makes a link or token.
#[derive(Clone, Copy)]
pub(crate) enum Maker {
    /// Somebody in their place, by the hash of their browser's cookie, and as whom.
    Browser(Hash, Viewer),
    /// The leader of the table, in the same way.
    Leader(Hash, Viewer),
    /// A program, by the hash of its token, and as whom.
    Token(Hash, Viewer),
    /// The server, for those with whom a table is opened.
    Opening,
}

impl Maker {
    /// As whom they make it.
    fn role(self) -> Viewer {
        match self {
            Maker::Browser(_, role) | Maker::Token(_, role) => role,
            Maker::Leader(..) | Maker::Opening => Viewer::Seat(Seat::Gm),
        }
    }

    /// Who answers for what they made, and as whom: it is taken back with them.
    fn answers(self) -> Option<(Hash, Viewer)> {
        match self {
            Maker::Opening => None,
            Maker::Browser(hash, role) | Maker::Leader(hash, role) | Maker::Token(hash, role) => {
                Some((hash, role))
            }
        }
    }
}

/// Why there is no such link or token.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PassError {
    /// Not for whoever asks.
    #[error("{0}")]
    NotYours(&'static str),
    /// It can be no such thing.
    #[error("{0}")]
    Nonsense(&'static str),
    /// It was made under that name, and taken back.
    #[error("what was made under that name was taken back: take another name to make one anew")]
    TakenBack,
    /// Another was made under that name.
    #[error("another link or token was made under that name")]
    Otherwise,
    /// It cannot be kept.
    #[error(transparent)]
    Db(#[from] DbError),
    /// No random numbers.
    #[error("the system gives no random numbers")]
    Chance,
}

/// Makes a link or a token; its secret is kept nowhere.
pub(crate) async fn make(app: &App, room: &Room, wish: Wish) -> Result<Secret, PassError> {
    let by = wish.maker.role();
    if !by.is_gm() && (wish.kind == PassKind::Invite || wish.role != by) {
        return Err(PassError::NotYours(
            "only the gamemaster makes links, and tokens for others: make one for your own seat",
        ));
    }
    if wish.kind == PassKind::Play && wish.role == Viewer::Spectator {
        return Err(PassError::Nonsense("whoever watches does not play: make a token that reads"));
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
        && let Some(made) = app.db.pass(&secret.hash()).await?
    {
        if (&made.table, made.kind, made.role, &made.label) != (&room.id, wish.kind, wish.role, &label) {
            return Err(PassError::Otherwise);
        }
        return match app.db.pass_that_counts(&made.hash).await? {
            Some(_) => Ok(secret.clone()),
            None => Err(PassError::TakenBack),
        };
    }
    let mut passes = app.db.passes(&room.id).await?;
    passes.retain(|pass| pass.revoked.is_none());
    if limits::has_all_passes(&passes, by, wish.maker.answers().map(|(maker, _)| maker)) {
        return Err(PassError::Nonsense(match by {
            Viewer::Seat(Seat::Gm) => "this table has too many links and tokens: take some back first",
            _ => "this seat has as many tokens as it may have: take some back first",
        }));
    }
    let named = wish.named.is_some();
    let secret = wish.named.or_else(Secret::new).ok_or(PassError::Chance)?;
    let added = app
        .db
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
        // It was asked for twice at once.
        Err(DbError::Taken) if named => Ok(secret),
        added => added.map(|()| secret).map_err(PassError::from),
    }
}

/// The link of a secret that invites.
pub(crate) fn link(app: &App, headers: &HeaderMap, secret: &Secret) -> String {
    format!("{}/join/{}", app.origin(headers), secret.reveal())
}

/// Takes a link or token back: whoever came by it is out.
pub(crate) async fn revoke(app: &App, room: &Room, hash: Hash) -> Result<(), DbError> {
    app.db.revoke(&room.id, hash, auth::now()).await?;
    doors_moved(app, room).await
}

/// Lets somebody in, turns them away, or turns them out: with these go the link by which
/// they came, and the links and tokens that they made.
pub(crate) async fn decide(
    app: &App,
    room: &Arc<Room>,
    (browser, role): (Hash, Viewer),
    standing: Standing,
) -> Result<(), DbError> {
    let there = app.db.roles(&room.id, &browser).await?;
    let is_in = there.iter().any(|it| it.role == role && it.standing == Standing::Admitted);
    if is_in && standing == Standing::Refused {
        app.db.turn_out(&room.id, browser, role, auth::now()).await?;
    } else {
        app.db.set_standing(&room.id, browser, role, standing).await?;
    }
    if standing == Standing::Admitted && !is_in {
        sits_down(app, room, (browser, role)).await?;
    }
    doors_moved(app, room).await
}

/// Somebody has come in: where nobody else sits in their seat, it is called as they are.
pub(crate) async fn sits_down(
    app: &App,
    room: &Arc<Room>,
    (browser, role): (Hash, Viewer),
) -> Result<(), DbError> {
    let Viewer::Seat(seat @ Seat::Player(_)) = role else { return Ok(()) };
    let members = app.db.members(&room.id).await?;
    let mut here = members.iter().filter(|it| it.role == role && it.standing == Standing::Admitted);
    if let (Some(only), None) = (here.next(), here.next())
        && only.browser == browser
    {
        room.call(seat, only.name.clone()).await;
    }
    Ok(())
}

/// Tells the table that who may come in has changed.
pub(crate) async fn doors_moved(app: &App, room: &Room) -> Result<(), DbError> {
    room.doors_moved(waiting(&app.db, &room.id).await?);
    Ok(())
}
