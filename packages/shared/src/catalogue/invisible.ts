/**
 * What leaves no mark on a page: white space, controls, and what Unicode says is to be ignored where it is not supported
 * (zero-width and bidirectional characters, soft hyphens, fillers, selectors, tags), with the blank of Braille, the
 * marks of interlinear annotations, those that arrange hieroglyphs, and what will never be a character.
 */
const visible =
  /[^\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\ufff9-\ufffb\u{13430}-\u{1343f}]/u

/** Whether a reader would see nothing of a text: it is empty, whatever its length. */
export const isInvisible = (text: string): boolean => !visible.test(text)
