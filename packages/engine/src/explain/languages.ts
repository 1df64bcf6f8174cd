/** Languages that explanations are written in. */
export const explanationLanguages = ['fr', 'en'] as const
export type ExplanationLanguage = (typeof explanationLanguages)[number]
