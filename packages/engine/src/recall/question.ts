/**
 * Question marks of the world's scripts. The Latin one counts only where no letter or digit follows, so not in the
 * address of a web page. The Greek one is mostly written as a semicolon, which counts behind a Greek letter.
 */
const questionMark = /\?(?![\p{L}\p{N}_=&%])|(?<=\p{sc=Greek}["'»”)]?);|[？؟՞\u037e፧⁇⁈⁉‽⸮꘏꛷﹖]/u

/** Whether a text asks something, by its punctuation. */
export const asksQuestion = (text: string): boolean => questionMark.test(text)
