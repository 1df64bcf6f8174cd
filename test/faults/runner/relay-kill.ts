import pg from 'pg'
import { until } from '../../support/until.ts'
import type { Cluster, Worker } from './cluster.ts'
import type { Load } from './load.ts'

const kills = 5

/**
 * Kills a worker five times between the moment at which its relay has taken events and the one at which it delivers
 * them: a lock on the deliveries holds it there. No other worker may run.
 */
export async function killRelayInHand({ settings }: Cluster, worker: Worker, load: Load): Promise<void> {
  const lock = new pg.Client({ connectionString: settings.DATABASE_URL })
  const look = new pg.Client({ connectionString: settings.DATABASE_URL })
  await Promise.all([lock.connect(), look.connect()])
  try {
    await until(
      async () => {
        await load.more(1)
        const { rows } = await look.query('select from app.outbox limit 1')
        return rows.length > 0
      },
      'an event',
      120_000,
    )
    await lock.query('begin')
    await lock.query('lock table app.webhook_deliveries in access exclusive mode')
    for (let kill = 0; kill < kills; kill++) {
      // The leases of the killed end by themselves after a minute; here it passes at once.
      await look.query('update app.outbox set available_at = now()')
      const starting = worker.start()
      await until(
        async () => {
          const { rows } = await look.query(
            `select from app.outbox where available_at > now() + interval '30 seconds' limit 1`,
          )
          return rows.length > 0
        },
        'events in hand',
        60_000,
      )
      await starting
      await worker.kill()
    }
    await look.query('update app.outbox set available_at = now()')
  } finally {
    await Promise.all([lock.end(), look.end()])
  }
}
