//! What Node needs of the linker.

fn main() {
    #[cfg(feature = "node")]
    napi_build::setup();
}
