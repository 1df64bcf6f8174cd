//! Which kernels this processor can run. Each instruction set takes over what it has nothing better for.

use super::{InstructionSet, Kernels, avx2, avx512, scalar};
use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

/// The kernels of each instruction set that was detected, from the narrowest to the widest.
pub fn available() -> Vec<Kernels> {
    let mut all = Vec::new();
    let has_avx2 = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("popcnt");
    if !has_avx2 {
        return all;
    }
    let with_avx2 = Kernels {
        set: InstructionSet::Avx2,
        // Measured on Zen 3: four at a time are 20 % slower from memory, 5 to 10 % faster from the cache.
        single_stream: true,
        // SAFETY: AVX2 and FMA were detected above.
        dot: |a, b| unsafe { avx2::dot(a, b) },
        // SAFETY: as above. Its four sums are the definition: wider is not faster.
        dot_exact: |a, b| unsafe { avx2::dot_exact(a, b) },
        // SAFETY: as above.
        dots_exact: |rows, query| unsafe { avx2::dots_exact(rows, query) },
        // SAFETY: as above.
        products: |rows, queries, dimensions, out| unsafe { avx2::products(rows, queries, dimensions, out) },
        // SAFETY: as above.
        dot_i8: |a, b| unsafe { avx2::dot_i8(a, b) },
        // SAFETY: as above.
        scan_i8: |rows, query, _, out| unsafe { avx2::scan_i8(rows, query, out) },
        products_i8: |rows, queries, dimensions, out| {
            // SAFETY: as above.
            let scan =
                |rows: &[i8], query: &[i8], out: &mut [i32]| unsafe { avx2::scan_i8(rows, query, out) };
            scalar::products_i8(scan, rows, queries, dimensions, out);
        },
        // SAFETY: POPCNT was detected above.
        hamming: |a, b| unsafe { avx2::hamming(a, b) },
        hamming_planes: |code, planes| {
            // SAFETY: as above.
            let hamming = |a: &[u32], b: &[u32]| unsafe { avx2::hamming(a, b) };
            scalar::hamming_planes(hamming, code, planes)
        },
        // SAFETY: AVX2 and POPCNT were detected above.
        scan_hamming: |codes, query, out| unsafe { avx2::scan_hamming(codes, query, out) },
        // SAFETY: AVX2 was detected above.
        upper_bounds: |bound, counts, scalars, threshold, out| unsafe {
            avx2::upper_bounds(bound, counts, scalars, threshold, out)
        },
        // SAFETY: AVX2 and FMA were detected above.
        weighted_sum: |rows, weights, out| unsafe { avx2::weighted_sum(rows, weights, out) },
        // SAFETY: AVX2 was detected above.
        hadamard: |values| unsafe { avx2::hadamard(values) },
        // SAFETY: AVX2 and FMA were detected above.
        sum: |values| unsafe { avx2::sum(values) },
    };
    all.push(with_avx2);
    if !is_x86_feature_detected!("avx512f") {
        return all;
    }
    let with_avx512 = Kernels {
        set: InstructionSet::Avx512,
        single_stream: false,
        // SAFETY: AVX-512F was detected above.
        dot: |a, b| unsafe { avx512::dot(a, b) },
        // SAFETY: as above.
        products: |rows, queries, dimensions, out| unsafe {
            avx512::products(rows, queries, dimensions, out)
        },
        // SAFETY: as above.
        upper_bounds: |bound, counts, scalars, threshold, out| unsafe {
            avx512::upper_bounds(bound, counts, scalars, threshold, out)
        },
        // SAFETY: as above.
        weighted_sum: |rows, weights, out| unsafe { avx512::weighted_sum(rows, weights, out) },
        // SAFETY: as above.
        hadamard: |values| unsafe { avx512::hadamard(values) },
        // SAFETY: as above.
        sum: |values| unsafe { avx512::sum(values) },
        ..with_avx2
    };
    all.push(with_avx512);
    if !is_x86_feature_detected!("avx512bw") || !is_x86_feature_detected!("avx512vnni") {
        return all;
    }
    let with_vnni = Kernels {
        set: InstructionSet::Avx512Vnni,
        // SAFETY: AVX-512 BW and VNNI were detected above.
        dot_i8: |a, b| unsafe { avx512::dot_i8(a, b) },
        // SAFETY: as above.
        scan_i8: |rows, query, streams, out| unsafe { avx512::scan_i8(rows, query, streams, out) },
        // SAFETY: as above.
        products_i8: |rows, queries, dimensions, out| unsafe {
            avx512::products_i8(rows, queries, dimensions, out)
        },
        ..with_avx512
    };
    all.push(with_vnni);
    if is_x86_feature_detected!("avx512vpopcntdq") {
        all.push(Kernels {
            set: InstructionSet::Avx512Vpopcntdq,
            // SAFETY: AVX-512 VPOPCNTDQ was detected above.
            hamming: |a, b| unsafe { avx512::hamming(a, b) },
            // SAFETY: as above.
            hamming_planes: |code, planes| unsafe { avx512::hamming_planes(code, planes) },
            // SAFETY: as above.
            scan_hamming: |codes, query, out| unsafe { avx512::scan_hamming(codes, query, out) },
            ..with_vnni
        });
    }
    all
}

/// Bytes of a cache line.
const LINE: usize = 64;

pub fn prefetch<T>(values: &[T]) {
    let start = values.as_ptr().cast::<i8>();
    for at in (0..size_of_val(values)).step_by(LINE) {
        // SAFETY: prefetching neither reads nor writes; any address may be given, and this one lies within the slice.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(start.add(at)) };
    }
}
