/** What recall orders candidates by. */
export const headNames = ['semantic', 'lexical', 'associative', 'contiguity', 'salience'] as const
export type HeadName = (typeof headNames)[number]

/** How much each head counts: at least 0, 1 in sum. */
export type HeadWeights = Readonly<Record<HeadName, number>>

/**
 * The weights of a space that has learned nothing. Words to meaning 0.4 : 0.6 was best for conversations, and for 20,000
 * texts of all kinds; equal shares of what a pattern says and of what its neighbours do likewise. Associations and
 * salience say nothing before a space has been used, and start at the least share that learning leaves a head.
 */
export const startWeights: HeadWeights = {
  semantic: 0.28,
  lexical: 0.18,
  associative: 0.02,
  contiguity: 0.5,
  salience: 0.02,
}
