/** The kinds of evidence that recall scores candidates by, see `combineHeads`. */
export const headNames = ['semantic', 'lexical', 'associative', 'contiguity', 'salience'] as const
export type HeadName = (typeof headNames)[number]

/** Values in the order of `headNames`. Written out instead of a loop for speed, since it runs for each candidate. */
export const inHeadOrder = (of: Readonly<Record<HeadName, number>>): number[] => [
  of.semantic,
  of.lexical,
  of.associative,
  of.contiguity,
  of.salience,
]

/** How much each head counts; none is negative, and they sum to 1. */
export type HeadWeights = Readonly<Record<HeadName, number>>

/**
 * The weights of a space that has learned nothing. Of words to meaning, 0.4 : 0.6 finds most in conversations (0.3 and 0.36
 * 0.5 points of recall@10 less), 0.2 : 0.8 most paraphrases of single sentences: this lies between them. What a pattern
 * says and what its neighbours do count the same. Salience says nothing before a space has been used; after feedback on
 * half of the LoCoMo questions, 0.15 finds most of the others, whichever of five conversations is left out (recall@10 1.4
 * points more than with 0). Associations earn nothing there (0.02 costs 0.3 points after feedback), so they start with 0
 * and get weight where feedback shows that they foresee what is useful (bench/results/recall-heads.json).
 */
export const startWeights: HeadWeights = {
  semantic: 0.27,
  lexical: 0.145,
  associative: 0,
  contiguity: 0.435,
  salience: 0.15,
}
