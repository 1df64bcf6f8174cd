const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** How long usage is kept, and how finely. In ms. */
export const retention = {
  /** Hours become days then: a week, and the day that has begun. */
  hoursMs: 8 * dayMs,
  daysMs: 400 * dayMs,
  /**
   * How long one sketch of latencies is, so that the last hour can be told. How lately a space was used is known no
   * better.
   */
  latencyMs: 5 * 60_000,
  /** How long sketches of five minutes are kept: then they become hours, kept for a week and the day that has begun. */
  latenciesMs: 25 * hourMs,
  latencyHoursMs: 8 * dayMs,
} as const
