/** What recall orders candidates by. */
export const headNames = ['semantic', 'lexical', 'associative', 'contiguity', 'salience'] as const
export type HeadName = (typeof headNames)[number]

/** How much each head counts: at least 0, 1 in sum. */
export type HeadWeights = Readonly<Record<HeadName, number>>

/**
 * The weights of a space that has learned nothing. Of words to meaning, 0.4 : 0.6 finds most in conversations, 0.2 : 0.8
 * most paraphrases of single sentences; this lies between them and costs 0.3 points of recall@10 in conversations. What a
 * pattern says and what its neighbours do count the same. Associations and salience say nothing before a space has been
 * used, and start at the least share that learning leaves a head.
 */
export const startWeights: HeadWeights = {
  semantic: 0.3,
  lexical: 0.16,
  associative: 0.02,
  contiguity: 0.5,
  salience: 0.02,
}
