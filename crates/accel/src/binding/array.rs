//! Arrays of numbers that Node is given.

use napi::bindgen_prelude::{
    Env, Float32Array, Float32ArraySlice, Float64Array, Float64ArraySlice, Int8Array, Int8ArraySlice,
    Int32Array, Int32ArraySlice, Result, ToNapiValue, Uint8Array, Uint8ArraySlice, Uint32Array,
    Uint32ArraySlice, sys,
};

/// Up to so many bytes an array is copied into memory of JavaScript's own, which takes half the time of lending it ours,
/// whose end the garbage collector must tell.
const COPIED: usize = 16 << 10;

/// A typed array of JavaScript with these elements.
pub struct Array<T>(Vec<T>);

impl<T> From<Vec<T>> for Array<T> {
    fn from(values: Vec<T>) -> Self {
        Self(values)
    }
}

macro_rules! to_javascript {
    ($($element:ty => $lent:ident, $copy:ident;)*) => {$(
        impl ToNapiValue for Array<$element> {
            unsafe fn to_napi_value(env: sys::napi_env, Self(values): Self) -> Result<sys::napi_value> {
                if size_of_val(values.as_slice()) > COPIED {
                    // SAFETY: whoever calls has promised what this asks for, that `env` is its thread's.
                    return unsafe { $lent::to_napi_value(env, values.into()) };
                }
                let copy = $copy::copy_from(&Env::from_raw(env), &values)?;
                // SAFETY: as above.
                unsafe { $copy::to_napi_value(env, copy) }
            }
        }
    )*};
}

to_javascript! {
    f32 => Float32Array, Float32ArraySlice;
    f64 => Float64Array, Float64ArraySlice;
    i8 => Int8Array, Int8ArraySlice;
    i32 => Int32Array, Int32ArraySlice;
    u8 => Uint8Array, Uint8ArraySlice;
    u32 => Uint32Array, Uint32ArraySlice;
}
