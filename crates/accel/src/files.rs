//! Snapshots as files.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Writes a file that appears under its name when it is whole and on the disk, in place of any that has the name. Where that
/// fails, what had the name stays, and nothing is left beside it.
pub fn replace<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<(), E>,
) -> Result<(), E> {
    let temporary = temporary(path);
    let written = File::create(&temporary).map_err(E::from).and_then(|mut file| {
        write(&mut file)?;
        file.sync_all()?;
        Ok(fs::rename(&temporary, path)?)
    });
    if written.is_err() {
        // What failed first is what the caller learns.
        let _ = fs::remove_file(&temporary);
        return written;
    }
    // The name is on the disk only when its folder is.
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// A name beside the file's that no other save of a process uses. A process with the number of one that was killed in a save
/// writes over what that left.
fn temporary(path: &Path) -> PathBuf {
    static SAVES: AtomicU32 = AtomicU32::new(0);
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.{}.new", std::process::id(), SAVES.fetch_add(1, Ordering::Relaxed)));
    name.into()
}
