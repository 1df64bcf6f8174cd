/** Ends of sentences as in UAX 29: of every script that marks them. */
export const sentenceSegmenter = new Intl.Segmenter('und', { granularity: 'sentence' })
