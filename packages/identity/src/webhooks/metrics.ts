import { registerBacklog } from '@memory/shared/ops/metrics'
import { Histogram, type Registry } from 'prom-client'
import type { AttemptContext } from './attempt.ts'
import type { WebhooksContext } from './context.ts'
import { readDeliveryBacklog } from './deliveries.ts'

/** Up to the time that an attempt may take. */
const buckets = [0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 15]

/** What operators see of webhooks, in Prometheus' form. @returns what is to be told of each attempt */
export function registerWebhookMetrics(
  registry: Registry,
  { queries, clock }: Pick<WebhooksContext, 'queries' | 'clock'>,
): NonNullable<AttemptContext['onAttempt']> {
  const seconds = new Histogram({
    name: 'memory_webhook_attempt_seconds',
    help: 'Time that receivers took for an attempt of this process, by what came of it.',
    labelNames: ['outcome'],
    buckets,
    registers: [registry],
  })
  registerBacklog(registry, () => readDeliveryBacklog(queries, clock.now()), {
    rows: {
      name: 'memory_webhook_deliveries',
      help: 'Deliveries to active webhooks: due, or in hand or put off.',
    },
    lag: { name: 'memory_webhook_lag_seconds', help: 'For how long the oldest delivery has been due.' },
  })
  return (outcome, took) => seconds.observe({ outcome }, took)
}
