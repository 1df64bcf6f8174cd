import { MemoryClient } from 'memory-service-sdk'
import { describe, expect, it } from 'vitest'

/** A service that answers pages of what it has at that moment. */
function newService() {
  const notifications = Array.from({ length: 90 }, (_, n) => ({ id: `n-${90 - n}`, read: false }))
  const entries = Array.from({ length: 9 }, (_, n) => entryOf(90 - Math.floor(n / 3)))
  const asked: string[] = []
  const service = {
    notifications,
    entries,
    asked,
    depth: Number.POSITIVE_INFINITY,
    before: (_request: number) => {},
  }
  const client = new MemoryClient({
    apiKey: 'key',
    fetch: async (url) => {
      const { pathname, search, searchParams: query } = new URL(url)
      service.before(asked.push(search))
      const page = Number(query.get('page') ?? 1)
      const cut = <T>(list: T[], size: number) => list.slice((page - 1) * size, page * size)
      if (pathname.endsWith('/audit-log')) {
        const limit = Number(query.get('limit') ?? 50)
        const { entries } = service
        if (page * limit > service.depth) return Response.json({ detail: 'too deep' }, { status: 422 })
        const there = entries.filter(({ timestamp }) => timestamp < (query.get('until') ?? '9'))
        return Response.json({ entries: cut(there, limit), has_more: page * limit < there.length })
      }
      const size = Number(query.get('per_page') ?? 20)
      const there = service.notifications.filter(({ read }) => !read || query.get('unread_only') !== 'true')
      const total = there.length
      const pagination = { page, per_page: size, total, total_pages: Math.ceil(total / size) }
      return Response.json({ data: cut(there, size), pagination })
    },
  })
  return { service, client }
}

const entryOf = (second: number) => ({
  action: 'login',
  timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(),
})

async function idsOf(items: AsyncIterable<{ id: string }>, onEach?: (id: string) => void): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of items) {
    ids.push(id)
    onEach?.(id)
  }
  return ids
}

describe('every notification', () => {
  it.each([undefined, 1, 20, 100])('comes once, newest first, in pages of %s', async (per_page) => {
    const { service, client } = newService()
    const ids = service.notifications.map(({ id }) => id)
    const given = per_page === undefined ? {} : { per_page }
    expect(await idsOf(client.notifications.all(given))).toEqual(ids)
    expect(service.asked.length).toBeLessThan(10)
    expect(await idsOf(client.notifications.all({ page: 3, per_page: 10 }))).toEqual(ids.slice(20))
  })

  it('that is unread comes, though each is marked as read as it comes', async () => {
    const { service, client } = newService()
    const ids = service.notifications.map(({ id }) => id)
    const read = (id: string) => {
      const found = service.notifications.find((each) => each.id === id)
      if (found !== undefined) found.read = true
    }
    expect(await idsOf(client.notifications.all({ unread_only: true }), read)).toEqual(ids)
  })

  it('comes, though each is deleted as it comes', async () => {
    const { service, client } = newService()
    const ids = service.notifications.map(({ id }) => id)
    const remove = (id: string) => {
      service.notifications = service.notifications.filter((each) => each.id !== id)
    }
    expect(await idsOf(client.notifications.all(), remove)).toEqual(ids)
  })

  it('comes once, whatever is added and deleted between two pages', async () => {
    for (let seed = 1; seed <= 200; seed++) {
      const { service, client } = newService()
      let state = seed
      const random = (below: number) => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
        return Math.floor((state / 2 ** 32) * below)
      }
      service.before = (request) => {
        if (request === 1) return
        for (let n = random(4); n > 0; n--) service.notifications.splice(random(40), random(4))
        for (let n = random(4); n > 0; n--)
          service.notifications.unshift({ id: `new-${request}-${n}`, read: false })
      }
      const ids = await idsOf(client.notifications.all({ per_page: 10 }))
      expect(new Set(ids).size, `seed ${seed}`).toBe(ids.length)
      const stayed = service.notifications.map(({ id }) => id).filter((id) => !id.startsWith('new'))
      expect(
        ids.filter((id) => stayed.includes(id)),
        `seed ${seed}`,
      ).toEqual(stayed)
    }
  })
})

describe('every audit entry', () => {
  it('comes once, though others are recorded meanwhile', async () => {
    const { service, client } = newService()
    const there = service.entries
    service.before = (request) => {
      if (request > 1) service.entries = [entryOf(90 + request), ...service.entries]
    }
    const collect = async (page: number) => {
      const found: object[] = []
      for await (const entry of client.security.allAuditEntries({ limit: 2, page })) found.push(entry)
      return found
    }
    expect(await collect(1)).toEqual(there)
    expect(service.asked[0]).toBe('?limit=2&page=1')
    expect(service.asked[1]).toBe('?limit=2&page=2&until=2026-01-01T00%3A01%3A30.001Z')
  })

  it.each([1, 2, 3, 5, 7])('comes once, in pages of %s, however deep pages may be', async (limit) => {
    const { service, client } = newService()
    // Up to eleven in a millisecond.
    const times = Array.from({ length: 60 }, (_, n) => Math.floor(Math.sqrt(59 - n) * 1.7))
    service.entries = times.map((second, n) => ({ ...entryOf(second), n }))
    service.depth = 14
    const found: object[] = []
    for await (const entry of client.security.allAuditEntries({ limit })) found.push(entry)
    expect(found).toEqual(service.entries)
  })

  it('is one from the newest of a later page on', async () => {
    const { service, client } = newService()
    const found: object[] = []
    for await (const entry of client.security.allAuditEntries({ limit: 3, page: 2 })) found.push(entry)
    expect(found).toEqual(service.entries.slice(3))
    service.entries = []
    for await (const entry of client.security.allAuditEntries()) expect.unreachable(`there is ${entry}`)
  })
})
