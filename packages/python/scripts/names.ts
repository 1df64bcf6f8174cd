import { MemoryClient } from 'memory-service-sdk'

/** A method of the TypeScript client, which the Python client has too, under its own custom of names. */
export interface Named {
  group: string
  /** As Python has it: `batch_store`. */
  name: string
  /** `POST /v1/memory/text/store`, with the ids as `id`. */
  route: string
  /** Whether it goes through every page of a list. */
  isIterator: boolean
}

type Call = (...given: unknown[]) => Promise<unknown>

export const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]+/g, (capitals) => `_${capitals.toLowerCase()}`).replace(/^_/, '')

/** What stands for the ids of a path. */
export const anyId = 1

/** Every method of the TypeScript client, so that both clients have the same: its groups are asked what they would send. */
export async function namedMethods(): Promise<Named[]> {
  let route = ''
  const client = new MemoryClient({
    baseUrl: 'http://memory.example',
    fetch: async (url, { method }) => {
      route = `${method} ${new URL(url).pathname}`
      // A page without items, and without a further one.
      return Response.json({ next_cursor: null, has_more: false, pagination: {} })
    },
  })
  const named: Named[] = []
  for (const [group, methods] of Object.entries(client)) {
    for (const [name, method] of Object.entries(methods as Record<string, Call>)) {
      // It asks when the first event is waited for, of which there is none here, and goes on without an end.
      if (method === (client.notifications.stream as unknown)) {
        named.push({ group, name, route: 'GET /v1/notifications/stream', isIterator: false })
        continue
      }
      const isIterator = /^all(?![a-z])/.test(name)
      route = ''
      // Of an id, a body and options each is something that may be sent.
      const called = method(anyId, anyId, anyId)
      // What becomes of the answer, which is none of the operation's, is not looked at.
      if (isIterator) await firstOf(called as unknown as AsyncIterable<unknown>)
      else await (called as Promise<unknown>).catch(() => {})
      if (route === '') throw new Error(`${group}.${name} asks for nothing`)
      named.push({ group: snakeCase(group), name: snakeCase(name), route, isIterator })
    }
  }
  return named
}

/** Asks for the first page, and for nothing of it. */
async function firstOf(items: AsyncIterable<unknown>): Promise<void> {
  await items[Symbol.asyncIterator]()
    .next()
    .catch(() => {})
}
