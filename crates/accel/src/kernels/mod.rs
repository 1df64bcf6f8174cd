//! Kernels over slices, each in the widest instructions of this processor. All `unsafe` of the crate is here and in
//! `binding`, which hands arrays to Node.

mod bound;
pub(crate) mod column;
pub mod scalar;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "x86_64")]
mod x86_64;

pub use bound::UpperBound;

use std::sync::OnceLock;

/// Whether a scan of so many bytes reads them from memory: more than stay in the cache.
pub fn streams(bytes: usize) -> bool {
    bytes > 16 << 20
}

/// Asks the processor to bring values into the cache while other work goes on; does nothing on those other than x86-64.
#[inline]
pub fn prefetch<T>(values: &[T]) {
    #[cfg(target_arch = "x86_64")]
    x86_64::prefetch(values);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = values;
}

/// A set of instructions that the kernels are written for. One that this processor lacks is never chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionSet {
    /// None but what every processor has.
    Scalar,
    /// AVX2 and FMA, of Haswell (2013) and Zen on.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX-512F, of Skylake-SP (2017) on.
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// AVX-512 with instructions for products of bytes (VNNI), of Cascade Lake (2019) on.
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni,
    /// The same with instructions that count bits (VPOPCNTDQ), of Ice Lake (2019) and Zen 4 on.
    #[cfg(target_arch = "x86_64")]
    Avx512Vpopcntdq,
    /// Neon, which every 64-bit ARM has.
    #[cfg(target_arch = "aarch64")]
    Neon,
}

impl InstructionSet {
    /// As `features` of the binding tells it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => "avx2+fma",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => "avx512f",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Vnni => "avx512+vnni",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Vpopcntdq => "avx512+vnni+vpopcntdq",
            #[cfg(target_arch = "aarch64")]
            Self::Neon => "neon",
        }
    }
}

type UpperBounds = fn(&UpperBound, &[i32], &[[f32; 2]], f32, &mut [f32]) -> u64;

/// The kernels of one instruction set. The fields are private: only `available` makes one, after detection.
#[derive(Clone, Copy)]
pub struct Kernels {
    set: InstructionSet,
    /// Whether rows are read from memory faster one at a time than four at a time.
    single_stream: bool,
    dot: fn(&[f32], &[f32]) -> f32,
    dot_exact: fn(&[f32], &[f32]) -> f64,
    dots_exact: fn([&[f32]; 4], &[f32]) -> [f64; 4],
    products: fn(&[f32], &[f32], usize, &mut [f32]),
    dot_i8: fn(&[i8], &[i8]) -> i32,
    scan_i8: fn(&[i8], &[i8], bool, &mut [i32]),
    products_i8: fn(&[i8], &[i8], usize, &mut [i32]),
    hamming: fn(&[u32], &[u32]) -> u32,
    hamming_planes: fn(&[u32], &[u32]) -> u32,
    scan_hamming: fn(&[u32], &[u32], &mut [u32]),
    upper_bounds: UpperBounds,
    weighted_sum: fn(&[f32], &[f32], &mut [f32]),
    hadamard: fn(&mut [f32]),
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
            single_stream: false,
            dot: scalar::dot,
            dot_exact: scalar::dot_exact,
            dots_exact: |rows, query| rows.map(|row| scalar::dot_exact(row, query)),
            products: |rows, queries, dimensions, out| {
                scalar::products(scalar::dot, rows, queries, dimensions, out);
            },
            dot_i8: scalar::dot_i8,
            scan_i8: |rows, query, _, out| scalar::scan_i8(rows, query, out),
            products_i8: |rows, queries, dimensions, out| {
                scalar::products_i8(scalar::scan_i8, rows, queries, dimensions, out);
            },
            hamming: scalar::hamming,
            hamming_planes: |code, planes| scalar::hamming_planes(scalar::hamming, code, planes),
            scan_hamming: scalar::scan_hamming,
            upper_bounds: scalar::upper_bounds,
            weighted_sum: scalar::weighted_sum,
            hadamard: scalar::hadamard,
            sum: scalar::sum,
        };
        let mut all = vec![scalar];
        #[cfg(target_arch = "x86_64")]
        all.extend(x86_64::available());
        #[cfg(target_arch = "aarch64")]
        all.extend(neon::available());
        all
    }

    /// What these kernels are written for.
    pub fn instruction_set(&self) -> InstructionSet {
        self.set
    }

    /// Dot product of two vectors of equal length in float32, for a first look at rows.
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

    /// `dot_exact` of each of four rows with a query, all of equal length.
    #[inline]
    pub fn dots_exact(&self, rows: [&[f32]; 4], query: &[f32]) -> [f64; 4] {
        assert!(rows.iter().all(|row| row.len() == query.len()));
        (self.dots_exact)(rows, query)
    }

    /// Float32 products of every row with every query, all of `dimensions` values: `out[q * count + r]` for query
    /// `q` and row `r`. As a scan with one query it runs at the speed of memory, with many at that of the
    /// multipliers.
    ///
    /// # Panics
    /// When rows and queries are not whole, or `out` has another length than count times queries.
    pub fn products(&self, rows: &[f32], queries: &[f32], dimensions: usize, out: &mut [f32]) {
        if dimensions == 0 {
            return out.fill(0.0);
        }
        assert!(rows.len().is_multiple_of(dimensions) && queries.len().is_multiple_of(dimensions));
        assert_eq!(out.len(), rows.len() / dimensions * (queries.len() / dimensions));
        (self.products)(rows, queries, dimensions, out);
    }

    /// `products` with one query. Rows that come from memory, not from the cache, are read one at a time where
    /// the processor follows a single stream best.
    ///
    /// # Panics
    /// When the rows are not as many as `out` has places.
    pub fn scan(&self, rows: &[f32], query: &[f32], streams: bool, out: &mut [f32]) {
        if streams && self.single_stream {
            assert_eq!(rows.len(), query.len() * out.len());
            for (out, row) in out.iter_mut().zip(rows.chunks_exact(query.len())) {
                *out = (self.dot)(row, query);
            }
        } else {
            self.products(rows, query, query.len(), out);
        }
    }

    /// Dot product of two vectors of equal length, of at most 131,072 bytes.
    #[inline]
    pub fn dot_i8(&self, a: &[i8], b: &[i8]) -> i32 {
        assert_eq!(a.len(), b.len());
        (self.dot_i8)(a, b)
    }

    /// `dot_i8` of every row with the query; there are as many rows as `out` has places. `streams`: rows come from
    /// memory, not from the cache.
    ///
    /// # Panics
    /// When the rows are not that many.
    pub fn scan_i8(&self, rows: &[i8], query: &[i8], streams: bool, out: &mut [i32]) {
        assert_eq!(rows.len(), query.len() * out.len());
        if query.is_empty() {
            return out.fill(0);
        }
        (self.scan_i8)(rows, query, streams, out);
    }

    /// `dot_i8` of every row with every query, all of `dimensions` bytes: `out[q * count + r]` for query `q` and row `r`.
    /// Rows should fit into the first cache.
    ///
    /// # Panics
    /// When rows and queries are not whole, or `out` has another length than count times queries.
    pub fn products_i8(&self, rows: &[i8], queries: &[i8], dimensions: usize, out: &mut [i32]) {
        if dimensions == 0 || out.is_empty() {
            return out.fill(0);
        }
        assert!(rows.len().is_multiple_of(dimensions) && queries.len().is_multiple_of(dimensions));
        assert_eq!(out.len(), rows.len() / dimensions * (queries.len() / dimensions));
        (self.products_i8)(rows, queries, dimensions, out);
    }

    /// In how many bits two codes of equal length differ.
    #[inline]
    pub fn hamming(&self, a: &[u32], b: &[u32]) -> u32 {
        assert_eq!(a.len(), b.len());
        (self.hamming)(a, b)
    }

    /// Sum over all planes, each as long as the code, of 2^number times the `hamming` of code and plane.
    ///
    /// # Panics
    /// When the planes are not whole.
    #[inline]
    pub fn hamming_planes(&self, code: &[u32], planes: &[u32]) -> u32 {
        if code.is_empty() {
            return 0;
        }
        assert!(planes.len().is_multiple_of(code.len()));
        (self.hamming_planes)(code, planes)
    }

    /// `hamming` of every code with the query's; there are as many codes as `out` has places.
    ///
    /// # Panics
    /// When the codes are not that many.
    pub fn scan_hamming(&self, codes: &[u32], query: &[u32], out: &mut [u32]) {
        assert_eq!(codes.len(), query.len() * out.len());
        if query.is_empty() {
            return out.fill(0);
        }
        (self.scan_hamming)(codes, query, out);
    }

    /// The upper bounds of up to 64 rows, with the same bits on every instruction set, and which of them reach
    /// `threshold`, a bit each.
    ///
    /// # Panics
    /// When counts, scalars and `out` are not as many, or more than 64.
    #[inline]
    pub fn upper_bounds(
        &self,
        bound: &UpperBound,
        counts: &[i32],
        scalars: &[[f32; 2]],
        threshold: f32,
        out: &mut [f32],
    ) -> u64 {
        assert!(counts.len() == out.len() && scalars.len() == out.len() && out.len() <= 64);
        (self.upper_bounds)(bound, counts, scalars, threshold, out)
    }

    /// Adds every row times its weight to `out`, in float32.
    ///
    /// # Panics
    /// When the rows are not as many as the weights.
    pub fn weighted_sum(&self, rows: &[f32], weights: &[f32], out: &mut [f32]) {
        assert_eq!(rows.len(), out.len() * weights.len());
        if !out.is_empty() {
            (self.weighted_sum)(rows, weights, out);
        }
    }

    /// Walsh-Hadamard transform in place, not normalised, with the same bits on every instruction set.
    ///
    /// # Panics
    /// When the length is no power of two.
    pub fn hadamard(&self, values: &mut [f32]) {
        assert!(values.len().is_power_of_two());
        (self.hadamard)(values);
    }

    /// Sum of all values in float32: as fast as memory can be read, the limit that scans are measured
    /// against.
    pub fn sum(&self, values: &[f32]) -> f32 {
        (self.sum)(values)
    }
}
