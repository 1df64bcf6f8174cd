//! Functions that panic, so that a test of the built addon can see that the process goes on.

use crate::binding::background::{Contained, in_background};
use napi::bindgen_prelude::{AsyncTask, Env, Result, Task};
use napi_derive::napi;

/// Background work that panics.
pub struct Panic;

impl Task for Panic {
    type Output = ();
    type JsValue = ();

    fn compute(&mut self) -> Result<()> {
        panic!("as asked")
    }

    fn resolve(&mut self, _env: Env, (): ()) -> Result<()> {
        Ok(())
    }
}

/// Panics in the thread that calls it.
#[napi(catch_unwind, skip_typescript)]
pub fn panic_now() {
    panic!("as asked")
}

/// Panics in the background.
#[napi(catch_unwind, skip_typescript)]
pub fn panic_later() -> AsyncTask<Contained<Panic>> {
    in_background(Panic)
}
