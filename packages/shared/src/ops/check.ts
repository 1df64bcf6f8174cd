/** The result of one check, for operators. */
export interface Check {
  /** In one or two words. */
  name: string
  /** `warn`: the service works, but something needs attention. */
  state: 'ok' | 'warn' | 'fail'
  /** What was found, in a sentence. */
  text: string
  /** What to do about it; absent when all is well. */
  remedy?: string
}
