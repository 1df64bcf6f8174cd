/** A file of the reader's that can't be read any more: browsers refuse one that has changed since it was chosen. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile'
}
