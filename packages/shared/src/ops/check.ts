/** One thing that was looked at, for whoever runs the service. */
export interface Check {
  /** In one or two words. */
  name: string
  /** `warn`: the service works, and something is to be minded. */
  state: 'ok' | 'warn' | 'fail'
  /** What was found, in a sentence. */
  text: string
  /** What to do, unless all is well. */
  remedy?: string
}
