import fc from 'fast-check'

/** Dimensions around the widths of vector registers and unrolled loops, and the lengths that embeddings have. */
const laneDimensions = [
  1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 383, 384, 385, 511, 512,
  513, 767, 768, 769, 1023, 1024, 1025, 1535, 1536, 1537,
]

/** Dimensions of vectors: around the widths of vector registers and the usual lengths of embeddings, or any from 1 to 70. */
export const anyDimensions = fc.oneof(fc.constantFrom(...laneDimensions), fc.integer({ min: 1, max: 70 }))
