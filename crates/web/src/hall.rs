//! The tables of a server: opened when somebody comes, kept open while they play.

use crate::{auth, room::Room, settings::Settings};
use fracas_kernel::{Setup, System};
use fracas_store::{Db, DbError, NewTable, TableId};
use fracas_table::{OpenError, Opening, Seed, Table};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};
use tokio::{sync::OnceCell, task::JoinError};

/// Why a table cannot be opened here.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HallError {
    /// There is no such table, or not for whoever asks.
    #[error("there is no such table here")]
    Absent,
    /// The setup is at fault, or the log.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The database says no.
    #[error(transparent)]
    Db(#[from] DbError),
    /// The system gives no random numbers.
    #[error("the system gives no random numbers")]
    Chance,
    /// A bug.
    #[error("a bug: {0}")]
    Bug(#[from] JoinError),
}

type Slot = Arc<OnceCell<Arc<Room>>>;

/// The tables of a server.
pub(crate) struct Hall {
    db: Db,
    rooms: Mutex<HashMap<TableId, Slot>>,
}

impl Hall {
    pub(crate) fn new(db: Db) -> Hall {
        Hall { db, rooms: Mutex::default() }
    }

    /// Opens a new table.
    pub(crate) async fn create(
        &self,
        system: System,
        setup: Setup,
        title: String,
        settings: Settings,
    ) -> Result<Arc<Room>, HallError> {
        // Every fault of the setup before anything is kept.
        let (setup, started) = tokio::task::spawn_blocking(move || {
            let started = (system.start)(&setup).map(drop);
            (setup, started)
        })
        .await?;
        started.map_err(OpenError::from)?;
        let id = auth::new_table_id().ok_or(HallError::Chance)?;
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).map_err(|_| HallError::Chance)?;
        let opened = auth::now();
        self.db
            .add_table(NewTable {
                id: id.clone(),
                system: system.id.to_owned(),
                title: title.clone(),
                opened,
                settings: settings.write(),
            })
            .await?;
        let opening = Opening { title, label: date(opened), seed: Some(Seed::new(seed)) };
        let slot = self.slot(&id);
        let room = slot.get_or_try_init(|| async {
            let db = self.db.clone();
            let at = id.clone();
            let room = tokio::task::spawn_blocking(move || -> Result<Arc<Room>, OpenError> {
                let store = db.log(&at);
                let key = store.key();
                let table = Table::create(&system, &setup, opening, Box::new(store))?;
                Ok(Room::new(at, db, table, key, settings))
            });
            Ok::<_, HallError>(room.await??)
        });
        match room.await {
            Ok(room) => Ok(room.clone()),
            Err(error) => {
                // Nothing of a table that could not begin stays behind.
                self.rooms().remove(&id);
                let _ = self.db.remove_table(&id).await;
                Err(error)
            }
        }
    }

    /// A table, opened where it is not.
    pub(crate) async fn room(&self, id: &TableId) -> Result<Arc<Room>, HallError> {
        let open = self.rooms().get(id).and_then(|slot| slot.get().cloned());
        if let Some(room) = open {
            return Ok(room);
        }
        let row = self.db.table(id).await?.ok_or(HallError::Absent)?;
        let slot = self.slot(id);
        let room = slot.get_or_try_init(|| async {
            let db = self.db.clone();
            let at = id.clone();
            let settings = Settings::read(&row.settings);
            let room = tokio::task::spawn_blocking(move || -> Result<Arc<Room>, OpenError> {
                let store = db.log(&at);
                let key = store.key();
                let table = Table::open(fracas_systems::all(), Box::new(store))?;
                Ok(Room::new(at, db, table, key, settings))
            });
            Ok::<_, HallError>(room.await??)
        });
        Ok(room.await?.clone())
    }

    fn slot(&self, id: &TableId) -> Slot {
        self.rooms().entry(id.clone()).or_default().clone()
    }

    fn rooms(&self) -> std::sync::MutexGuard<'_, HashMap<TableId, Slot>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records where every table stands, so that they open quickly next time.
    pub(crate) async fn close(&self) {
        let rooms: Vec<Arc<Room>> =
            self.rooms().drain().filter_map(|(_, slot)| slot.get().cloned()).collect();
        for room in rooms {
            room.close().await;
        }
    }
}

/// The date of a moment in seconds since 1970, as `2026-11-21`.
pub(crate) fn date(seconds: i64) -> String {
    // Howard Hinnant's civil-from-days, for days since 1970-01-01.
    let days = seconds.div_euclid(86_400) + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    #[test]
    fn dates() {
        assert_eq!(super::date(0), "1970-01-01");
        assert_eq!(super::date(951_782_400), "2000-02-29");
        assert_eq!(super::date(1_795_219_200), "2026-11-21");
    }
}
