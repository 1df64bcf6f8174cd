/**
 * Characters that show nothing, and turn or hide what is around them: marks of direction, joiners, controls. The signs that
 * Arabic, Syriac and Kaithi write over numbers and words are of the same category, and are seen.
 */
export const unseen =
  /((?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Cc}\p{Cf}\u2028\u2029])/gu
