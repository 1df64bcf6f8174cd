/**
 * Question marks of the world's scripts. The Latin one counts only where no letter or digit follows, so not in the
 * address of a web page; the Greek one only in its own code point, since most text writes it as a semicolon.
 */
const questionMark = /\?(?![\p{L}\p{N}_=&%])|[？؟՞\u037e፧⁇⁈⁉‽⸮꘏꛷﹖]/u

/** Whether a text asks something, by its punctuation. */
export const asksQuestion = (text: string): boolean => questionMark.test(text)
