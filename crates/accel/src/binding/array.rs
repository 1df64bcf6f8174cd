//! Arrays of numbers that are given to JavaScript, under the names that they have there.

use napi::bindgen_prelude::{Env, Result, ToNapiValue, sys};
use napi::bindgen_prelude::{
    Float32ArraySlice, Float64ArraySlice, Int8ArraySlice, Int32ArraySlice, Uint8ArraySlice, Uint32ArraySlice,
};

/// Up to so many bytes an array is copied into memory of JavaScript's own. That takes half the time of lending it ours, of
/// which the garbage collector must tell when it is no longer used.
const COPIED: usize = 16 << 10;

macro_rules! to_javascript {
    ($($name:ident of $element:ty, $copy:ident;)*) => {$(
        /// A typed array of JavaScript.
        pub struct $name(Vec<$element>);

        impl From<Vec<$element>> for $name {
            fn from(values: Vec<$element>) -> Self {
                Self(values)
            }
        }

        impl ToNapiValue for $name {
            unsafe fn to_napi_value(env: sys::napi_env, Self(values): Self) -> Result<sys::napi_value> {
                if size_of_val(values.as_slice()) > COPIED {
                    let lent = napi::bindgen_prelude::$name::new(values);
                    // SAFETY: whoever calls has promised what this asks for, that `env` is its thread's.
                    return unsafe { ToNapiValue::to_napi_value(env, lent) };
                }
                let copy = $copy::copy_from(&Env::from_raw(env), &values)?;
                // SAFETY: as above.
                unsafe { $copy::to_napi_value(env, copy) }
            }
        }
    )*};
}

to_javascript! {
    Float32Array of f32, Float32ArraySlice;
    Float64Array of f64, Float64ArraySlice;
    Int8Array of i8, Int8ArraySlice;
    Int32Array of i32, Int32ArraySlice;
    Uint8Array of u8, Uint8ArraySlice;
    Uint32Array of u32, Uint32ArraySlice;
}
