/** What recall orders candidates by. */
export const headNames = ['semantic', 'lexical', 'associative', 'contiguity', 'salience'] as const
export type HeadName = (typeof headNames)[number]

/** How much each head counts: at least 0, 1 in sum. */
export type HeadWeights = Readonly<Record<HeadName, number>>

/** The weights of a space that has learned nothing. */
export const startWeights: HeadWeights = {
  semantic: 0.37,
  lexical: 0.24,
  associative: 0.05,
  contiguity: 0.31,
  salience: 0.03,
}
