//! Metadata come back from their file as they were; what can't be saved leaves nothing.

use crate::support::Folder;
use accel::metadata::{Document, Metadata, MetadataError};
use serde_json::json;
use std::fs;

fn filled(count: i32) -> Metadata {
    let mut index = Metadata::default();
    for label in 0..count {
        let metadata = json!({ "n": label, "kind": label % 3 }).to_string();
        let times = [f64::from(label), 0.0, 0.0, f64::NAN, f64::NAN, f64::NAN];
        index.put(&[label], &[Document { metadata: &metadata, reserved: [None; 4], times }]).unwrap();
    }
    index
}

#[test]
fn metadata_come_back_as_they_were() {
    let folder = Folder::new("metadata");
    let file = folder.file("space.metadata");
    filled(10).save(&file, "space", 1).unwrap();
    // A later save takes the place of the file.
    filled(40).save(&file, "space", 7).unwrap();
    let (loaded, version) = Metadata::load(&file, "space").unwrap();
    assert_eq!((loaded.stats().documents, version), (40, 7));
    assert!(matches!(Metadata::load(&file, "other"), Err(MetadataError::Damaged)));
    assert_eq!(folder.names(), ["space.metadata"]);
}

#[test]
fn what_cannot_be_written_leaves_nothing() {
    let folder = Folder::new("metadata-missing");
    let saved = filled(10).save(&folder.file("no").join("space.metadata"), "space", 1);
    assert!(matches!(saved, Err(MetadataError::File(_))));
    // A folder has that name: the temporary file can't be renamed.
    let file = folder.file("space.metadata");
    fs::create_dir(&file).unwrap();
    assert!(matches!(filled(10).save(&file, "space", 1), Err(MetadataError::File(_))));
    assert_eq!(folder.names(), ["space.metadata"]);
}
