//! All that knows Node: converts, calls, converts back. Arrays are read where they lie, shared
//! memory included. A caller that writes to shared memory during a call may only add rows from `count` on and
//! change flags: each flag is read once, as one byte, and any value will do.
//!
//! `catch_unwind` makes a panic a JavaScript error; without it the process would end. Functions throw an Error with code
//! InvalidArg for arguments that do not fit, or are not finite. `npm run build:accel` writes the declarations and these
//! comments to `binding.d.cts`, from where editors show them.

mod array;
mod background;
mod index;
mod lexical;
mod matrix;
mod metadata;
#[cfg(feature = "panics")]
mod panics;
mod vectors;

use crate::kernels::Kernels;
use napi::bindgen_prelude::{Error, Result, Status};
use napi_derive::napi;

/// What the processor offers.
#[napi(object, object_from_js = false)]
pub struct Features {
    /// avx512+vnni+vpopcntdq, avx512+vnni, avx512f, avx2+fma, neon or scalar.
    pub instruction_set: &'static str,
}

/// What the kernels of this process run on.
#[napi(catch_unwind)]
pub fn features() -> Features {
    Features { instruction_set: Kernels::widest().instruction_set().name() }
}

/// Sum of all values: how fast memory can be read, for benchmarks.
#[napi(catch_unwind)]
pub fn sum(values: &[f32]) -> f64 {
    f64::from(Kernels::widest().sum(values))
}

/// Reads a size that JavaScript gave as a number; `what` names it in the error.
pub(crate) fn whole(what: &str, value: f64) -> Result<usize> {
    if value >= 0.0 && value <= f64::from(u32::MAX) && value.fract() == 0.0 {
        return Ok(value as usize);
    }
    Err(Error::new(Status::InvalidArg, format!("{what} is {value}, not a whole number from 0 to 4294967295")))
}

pub(crate) fn to_js(error: crate::Error) -> Error {
    Error::new(Status::InvalidArg, error.to_string())
}
