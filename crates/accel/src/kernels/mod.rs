//! Kernels over slices, each in the widest instructions of this processor. All `unsafe` of the crate is in
//! here.

pub mod scalar;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;

use std::sync::OnceLock;

/// A set of instructions that the kernels are written for. One that this processor lacks is never chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionSet {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "aarch64")]
    Neon,
}

impl InstructionSet {
    pub fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => "avx2+fma",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => "avx512f",
            #[cfg(target_arch = "aarch64")]
            Self::Neon => "neon",
        }
    }
}

/// The kernels of one instruction set. The fields are private: only `available` makes one, after detection.
#[derive(Clone, Copy)]
pub struct Kernels {
    set: InstructionSet,
    dot: fn(&[f32], &[f32]) -> f32,
    dot_exact: fn(&[f32], &[f32]) -> f64,
    dot_i8: fn(&[i8], &[i8]) -> i32,
    hamming: fn(&[u32], &[u32]) -> u32,
    sum: fn(&[f32]) -> f32,
}

impl Kernels {
    /// The kernels in use: the widest, detected once.
    pub fn widest() -> &'static Self {
        static WIDEST: OnceLock<Kernels> = OnceLock::new();
        WIDEST.get_or_init(|| *Self::available().last().expect("scalar is always there"))
    }

    /// All that this processor can run, the widest last.
    pub fn available() -> Vec<Self> {
        let scalar = Self {
            set: InstructionSet::Scalar,
            dot: scalar::dot,
            dot_exact: scalar::dot_exact,
            dot_i8: scalar::dot_i8,
            hamming: scalar::hamming,
            sum: scalar::sum,
        };
        #[allow(unused_mut, reason = "some processors have nothing wider")]
        let mut all = vec![scalar];
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("popcnt")
        {
            all.push(Self {
                set: InstructionSet::Avx2,
                // SAFETY: AVX2 and FMA were detected above.
                dot: |a, b| unsafe { avx2::dot(a, b) },
                // SAFETY: as above.
                dot_exact: |a, b| unsafe { avx2::dot_exact(a, b) },
                // SAFETY: as above.
                dot_i8: |a, b| unsafe { avx2::dot_i8(a, b) },
                // SAFETY: POPCNT was detected above.
                hamming: |a, b| unsafe { avx2::hamming(a, b) },
                // SAFETY: AVX2 and FMA were detected above.
                sum: |values| unsafe { avx2::sum(values) },
            });
            if is_x86_feature_detected!("avx512f") {
                all.push(Self {
                    set: InstructionSet::Avx512,
                    // SAFETY: AVX-512F was detected above.
                    dot: |a, b| unsafe { avx512::dot(a, b) },
                    // SAFETY: AVX2 and FMA were detected above. Its four sums are the definition: wider is
                    // not faster.
                    dot_exact: |a, b| unsafe { avx2::dot_exact(a, b) },
                    // SAFETY: AVX2 was detected above.
                    dot_i8: |a, b| unsafe { avx2::dot_i8(a, b) },
                    // SAFETY: POPCNT was detected above.
                    hamming: |a, b| unsafe { avx2::hamming(a, b) },
                    // SAFETY: AVX-512F was detected above.
                    sum: |values| unsafe { avx512::sum(values) },
                });
            }
        }
        #[cfg(target_arch = "aarch64")]
        if std::arch::is_aarch64_feature_detected!("neon") {
            all.push(Self {
                set: InstructionSet::Neon,
                // SAFETY: NEON was detected above.
                dot: |a, b| unsafe { neon::dot(a, b) },
                // NEON is always on for these, so that the compiler uses it.
                dot_exact: scalar::dot_exact,
                dot_i8: scalar::dot_i8,
                hamming: scalar::hamming,
                // SAFETY: NEON was detected above.
                sum: |values| unsafe { neon::sum(values) },
            });
        }
        all
    }

    pub fn instruction_set(&self) -> InstructionSet {
        self.set
    }

    /// Dot product of two vectors of equal length in float32: the first look of a scan.
    #[inline]
    pub fn dot(&self, a: &[f32], b: &[f32]) -> f32 {
        assert_eq!(a.len(), b.len());
        (self.dot)(a, b)
    }

    /// Dot product of two vectors of equal length in float64, with the same bits on every instruction set.
    #[inline]
    pub fn dot_exact(&self, a: &[f32], b: &[f32]) -> f64 {
        assert_eq!(a.len(), b.len());
        (self.dot_exact)(a, b)
    }

    /// Dot product of two vectors of equal length, of at most 131,072 bytes.
    #[inline]
    pub fn dot_i8(&self, a: &[i8], b: &[i8]) -> i32 {
        assert_eq!(a.len(), b.len());
        (self.dot_i8)(a, b)
    }

    /// In how many bits two codes of equal length differ.
    #[inline]
    pub fn hamming(&self, a: &[u32], b: &[u32]) -> u32 {
        assert_eq!(a.len(), b.len());
        (self.hamming)(a, b)
    }

    /// Sum of all values in float32: as fast as memory can be read, the limit that scans are measured
    /// against.
    pub fn sum(&self, values: &[f32]) -> f32 {
        (self.sum)(values)
    }
}
