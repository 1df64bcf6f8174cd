import type { IncomingMessage, ServerResponse } from 'node:http'
import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { ExpressAdapter } from '@bull-board/express'
import { queueNames } from '@memory/shared/catalogue/jobs'
import type { JobQueue } from '@memory/shared/platform/queue/queue'

export type QueueBoard = (req: IncomingMessage, res: ServerResponse) => void

/** The operators' page on the job queue: counts, jobs with their ids and errors, retry and removal. */
export async function createQueueBoard(queue: JobQueue, basePath: string): Promise<QueueBoard> {
  const serverAdapter = new ExpressAdapter().setBasePath(basePath)
  const queues = await Promise.all(queueNames.map((name) => queue.queue(name)))
  createBullBoard({
    serverAdapter,
    queues: queues.map((each) => new BullMQAdapter(each as never)),
    options: { uiConfig: { boardTitle: 'Memory Service', hideRedisDetails: true } },
  })
  const page = serverAdapter.getRouter() as QueueBoard
  return (req, res) => {
    // The path relative to `basePath`, which the page's router expects.
    req.url = (req.url ?? '').slice(basePath.length).replace(/^(?!\/)/, '/')
    page(req, res)
  }
}
