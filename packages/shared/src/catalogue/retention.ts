const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** How long usage is kept, and how finely. In ms. */
export const retention = {
  /** Usage by the hour; then it becomes usage by the day. A week, and the day that has begun. */
  hoursMs: 8 * dayMs,
  daysMs: 400 * dayMs,
  /** The time that one sketch of latencies covers: short, so that the last hour can be told. Last uses of spaces are as coarse. */
  latencyMs: 5 * 60_000,
  /** How long these sketches are kept; then they become sketches of an hour, kept for a week and the day that has begun. */
  latenciesMs: 25 * hourMs,
  latencyHoursMs: 8 * dayMs,
} as const
