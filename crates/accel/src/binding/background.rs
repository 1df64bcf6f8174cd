//! Work on libuv's threads that may fail, also by a panic, and never ends the process.

use napi::bindgen_prelude::{AsyncTask, Env, Error, Result, Status, Task};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs a task on one of libuv's threads; a panic rejects the promise.
pub fn in_background<T: Task>(task: T) -> AsyncTask<Contained<T>> {
    AsyncTask::new(Contained(task))
}

/// A task whose panics become errors: a panic that left a function which libuv calls would end the process.
pub struct Contained<T>(T);

impl<T: Task> Task for Contained<T> {
    type Output = T::Output;
    type JsValue = T::JsValue;

    fn compute(&mut self) -> Result<T::Output> {
        contain(|| self.0.compute())
    }

    fn resolve(&mut self, env: Env, output: T::Output) -> Result<T::JsValue> {
        contain(|| self.0.resolve(env, output))
    }
}

fn contain<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(Error::new(Status::GenericFailure, "native code panicked")))
}
