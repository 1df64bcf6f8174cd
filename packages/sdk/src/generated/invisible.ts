// Written by packages/sdk/scripts/generate.ts from packages/shared/src/catalogue/invisible.ts.
/**
 * What leaves no mark on a page: white space, controls, and what Unicode says is to be ignored where it is not supported
 * (zero-width and bidirectional characters, soft hyphens, fillers, selectors, tags), with the blank of Braille and the
 * marks of interlinear annotations.
 */
const visible = /[^\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u

/** Whether a reader would see nothing of a text: it is empty, whatever its length. */
export const isInvisible = (text: string): boolean => !visible.test(text)
