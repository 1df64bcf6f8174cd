import { InvalidAnswerError, type NotificationEvent } from 'memory-service-sdk'
import { describe, expect, it } from 'vitest'
import type { Step } from './scripted-server.ts'
import { newBench, rejection } from './support.ts'

/** Answers a stream of these pieces, and ends it. */
const streams =
  (...pieces: string[]): Step =>
  async (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    for (const piece of pieces) {
      response.write(piece)
      // So that each piece comes by itself.
      await new Promise((done) => setTimeout(done, 5))
    }
    response.end()
  }

/** The first `count` events that a client hears, and where each connection went on after. */
async function hear(count: number, ...steps: [Step, ...Step[]]) {
  await using bench = await newBench(steps)
  const events: NotificationEvent[] = []
  for await (const event of bench.client.notifications.stream()) {
    events.push(event)
    if (events.length === count) break
  }
  return { events, after: bench.server.received.map(({ headers }) => headers['last-event-id']) }
}

const unread = (id: string, n: number) => ({ event: 'unread', id, data: { unread_count: n } })

describe('a stream of events', () => {
  it.each(['\n', '\r\n', '\r'])('is read whatever ends its lines: %j', async (end) => {
    const lines = ['id: 1', 'event: unread', 'data: {"unread_count":', 'data:7}', ': a comment', '', '']
    const whole = lines.join(end)
    expect((await hear(1, streams(whole))).events).toEqual([unread('1', 7)])
    expect((await hear(1, streams(`\ufeff${whole}`))).events).toEqual([unread('1', 7)])
    expect((await hear(2, streams(...`${whole}${whole}`))).events).toEqual([unread('1', 7), unread('1', 7)])
  })

  it('goes on after the last id that was said, also by an event without one', async () => {
    const event = 'event: unread\ndata: {"unread_count":1}\n'
    const { events, after } = await hear(
      4,
      streams(`${event}\n`),
      streams(`${event}id: 1\n\n${event}\n`, 'event: later\ndata: x\n\nretry: 5\n\n'),
      streams(`${event}\n`),
    )
    expect(events.map(({ id }) => id)).toEqual(['', '1', '1', '1'])
    expect(after).toEqual([undefined, undefined, '1'])
  })

  it.each(['hello', '7'])('whose data is %s is none of the service', async (data) => {
    const error = await rejection(hear(1, streams(`id: 1\nevent: unread\ndata: ${data}\n\n`)))
    expect(error).toBeInstanceOf(InvalidAnswerError)
  })
})
