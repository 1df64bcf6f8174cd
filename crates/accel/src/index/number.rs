//! Numbers as bytes, the lowest first, whatever the processor's order.

/// A number of fixed size.
pub trait Number: Copy {
    const SIZE: usize;
    fn write(self, target: &mut Vec<u8>);
    /// From exactly `SIZE` bytes.
    fn read(bytes: &[u8]) -> Self;
}

macro_rules! number {
    ($($kind:ty),*) => {$(
        impl Number for $kind {
            const SIZE: usize = size_of::<$kind>();

            #[inline]
            fn write(self, target: &mut Vec<u8>) {
                target.extend_from_slice(&self.to_le_bytes());
            }

            #[inline]
            fn read(bytes: &[u8]) -> Self {
                let mut array = [0; size_of::<$kind>()];
                array.copy_from_slice(bytes);
                Self::from_le_bytes(array)
            }
        }
    )*};
}

number!(i8, u8, i32, u32, u64, f32, f64);

impl Number for [f32; 2] {
    const SIZE: usize = 8;

    fn write(self, target: &mut Vec<u8>) {
        self.into_iter().for_each(|value| value.write(target));
    }

    fn read(bytes: &[u8]) -> Self {
        [f32::read(&bytes[..4]), f32::read(&bytes[4..])]
    }
}
