//! `fracas new map FILE`: an encounter on a map that a map maker exported.

use crate::args::NewArgs;
use crate::screen::{PLAIN, Screen};
use crate::stop::{Ended, Stop};
use crate::{files, program};
use fracas_kernel::{Picture, System};
use fracas_maps::{MAX_FILE, Map, Named, import, picture::Kind};
use fracas_papers::{has_map, mapped};
use std::path::{Path, PathBuf};
use std::{fs, io::Read};

/// Writes an encounter of a stated system, or of the only one with maps.
pub(crate) fn run(args: &NewArgs, file: &Path, stated: Option<System>, screen: &mut Screen) -> Ended {
    let name = file.display().to_string();
    let bytes = read(file).map_err(|error| Stop::bad(format!("{name}: {error}")))?;
    let map = import(&bytes).map_err(|why| Stop::bad(format!("{name}: {why}")))?;
    let system = system(stated)?;
    let title = file.file_stem().unwrap_or_default().to_string_lossy().replace('_', " ");
    // On standard output there is no file for a picture to stand beside.
    let picture = args.output.as_deref().and_then(|path| Some((beside(path, &map)?, map.laid.as_ref()?)));
    let named = picture.as_ref().and_then(|(path, _)| path.file_name()?.to_str());
    if let Some((path, _)) = picture.as_ref().filter(|(path, _)| args.output.as_ref() == Some(path)) {
        return Err(Stop::bad(format!(
            "{}: the picture of the map needs this name: choose another ending",
            path.display()
        )));
    }
    if let Some(name) = named.filter(|name| !Picture::is_file(name)) {
        return Err(Stop::bad(format!(
            "no picture can be called {name:?}: choose another name, such as mill.toml"
        )));
    }
    let text = mapped(&system, &map, named.map(Named::File), &title)
        .ok_or_else(|| Stop::bad(format!("{} has no maps", (system.rulebook)().title)))?;
    let Some(path) = &args.output else { return Ok(screen.raw(&text)?) };
    let mut files: Vec<(&Path, &[u8])> = vec![(path, text.as_bytes())];
    files.extend(picture.as_ref().map(|(path, laid)| (path.as_path(), laid.picture.bytes.as_slice())));
    files::write_all(&files, args.force)?;
    let to = path.display().to_string();
    let size = format!("{} columns, {} rows, {} walls", map.columns, map.rows, map.walls.len());
    screen.tell(PLAIN, &format!("{to}: an encounter for {}: {size}.", (system.rulebook)().title))?;
    if let Some((path, _)) = &picture {
        screen.tell(PLAIN, &format!("{}: its picture.", path.display()))?;
        screen.tell(
            PLAIN,
            "To play on it in the browser: \"Your papers\", \"Bring a map\", and choose both files.",
        )?;
    }
    screen.raw(&format!("  {} check {}", program::command(), program::quoted(&to)))?;
    Ok(())
}

/// Where the picture of a map stands, beside the encounter that is written to a path.
fn beside(path: &Path, map: &Map) -> Option<PathBuf> {
    let ending = match map.laid.as_ref()?.picture.kind {
        Kind::Png => "png",
        Kind::Jpeg => "jpg",
    };
    let beside = path.with_extension(ending);
    beside.file_name()?.to_str().is_some().then_some(beside)
}

/// A file, as far as a map may be long.
fn read(file: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(file)?.take(MAX_FILE as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The stated system, or the only one with maps.
fn system(stated: Option<System>) -> Result<System, Stop> {
    let with_maps: Vec<System> = fracas_systems::all().iter().copied().filter(has_map).collect();
    match (stated, &with_maps[..]) {
        (Some(system), _) | (None, &[system]) => Ok(system),
        (None, several) => {
            let ids: Vec<&str> = several.iter().map(|system| system.id).collect();
            Err(Stop::bad(format!("of which system? Say --system {}", ids.join(" or "))))
        }
    }
}
