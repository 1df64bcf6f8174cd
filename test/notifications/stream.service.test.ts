import { limits } from '@memory/shared/catalogue/limits'
import { NotificationFeed } from '@memory/shared/notifications/feed'
import { notify } from '@memory/shared/notifications/notify'
import { asTenant } from '@memory/shared/platform/database/database'
import { sealNumber } from '@memory/shared/platform/sealed-numbers'
import { AbortedError, MemoryClient, type NotificationEvent } from 'memory-service-sdk'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { addMember } from '../organizations/support.ts'
import { newUser, type User } from '../support/accounts.ts'
import type { Client } from '../support/client.ts'
import { onPostgres } from '../support/database.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

let server: TestServer
const open: Listener[] = []

beforeAll(async () => {
  server = await startServer()
})

afterEach(async () => {
  for (const each of open.splice(0)) each.hangUp()
  // Whatever became of them, nothing of them stays.
  await until(() => server.context.feed.size === 0, 'the end of every stream')
})

afterAll(() => server.close())

const path = '/v1/notifications/stream'

interface Told {
  id: string
  event: string
  data: Record<string, unknown>
}

/** Somebody who listens to the stream as any client of server-sent events would. */
class Listener {
  readonly told: Told[] = []
  text = ''
  isOver = false
  readonly response: Response
  readonly #hangingUp: AbortController

  private constructor(response: Response, hangingUp: AbortController) {
    this.response = response
    this.#hangingUp = hangingUp
    void this.#listen()
  }

  static async of(headers: Record<string, string>, query = ''): Promise<Listener> {
    const hangingUp = new AbortController()
    const response = await fetch(`${server.url}${path}${query}`, { headers, signal: hangingUp.signal })
    expect(response.status).toBe(200)
    const listener = new Listener(response, hangingUp)
    open.push(listener)
    await listener.hear(({ event }) => event === 'unread')
    return listener
  }

  async #listen(): Promise<void> {
    const decoder = new TextDecoder()
    try {
      for await (const chunk of this.response.body ?? []) {
        this.text += decoder.decode(chunk, { stream: true })
        const blocks = this.text.split('\n\n').slice(0, -1)
        const events = blocks.filter((block) => block.startsWith('id: '))
        for (const block of events.slice(this.told.length)) {
          const [, id, event, data] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(block) ?? []
          this.told.push({ id: String(id), event: String(event), data: JSON.parse(String(data)) })
        }
      }
    } catch {
      // Hung up.
    }
    this.isOver = true
  }

  hear(what: (told: Told) => boolean): Promise<Told> {
    return until(() => this.told.find(what), 'an event')
  }

  /** Waits until so many notifications were told. */
  async count(n: number): Promise<void> {
    await until(() => this.messages.length >= n, `${n} notifications`)
  }

  get messages(): unknown[] {
    return this.told.filter(({ event }) => event === 'notification').map(({ data }) => data.id)
  }

  get unread(): unknown {
    return this.told.findLast(({ event }) => event === 'unread')?.data.unread_count
  }

  get lastId(): string {
    return this.told.at(-1)?.id ?? ''
  }

  hangUp(): void {
    this.#hangingUp.abort()
  }

  over(): Promise<unknown> {
    return until(() => this.isOver, 'the end of the stream')
  }
}

const byKey = ({ key }: Client) => ({ 'X-API-Key': key })
const byToken = ({ accessToken }: User) => ({ Authorization: `Bearer ${accessToken}` })

type Owner = { organizationId: string }

const tell = ({ organizationId }: Owner, n = 1) =>
  asTenant(server.context.database.queries, { organizationId }, async (trx) => {
    for (let i = 0; i < n; i++) {
      await notify(trx, organizationId, 'billing.payment_failed', { webhookId: `msg_${i}` })
    }
  })

const listed = async (client: Client | User) =>
  ((await client.get('/v1/notifications?per_page=100')).body.data as { id: string }[])
    .map(({ id }) => id)
    .toReversed()

/** Has the service look at its streams often. */
async function beatOften(beatMs: number): Promise<void> {
  await server.context.feed.close()
  server.context.feed = new NotificationFeed(server.context.database, beatMs)
}

describe('the stream', () => {
  it('tells of a notification as the list has it, and of how many are unread, whoever changes that', async () => {
    const ada = await newUser(server)
    const [key, other] = [
      await server.newClient({ organizationId: ada.organizationId }),
      await server.newClient(),
    ]
    await tell(ada)
    const [listener, stranger] = [await Listener.of(byKey(key)), await Listener.of(byKey(other))]
    const { headers } = listener.response
    expect(headers.get('content-type')).toBe('text/event-stream')
    expect(headers.get('cache-control')).toBe('no-store, no-transform')
    expect(headers.get('content-encoding')).toBeNull()
    // What was there before is not news.
    expect([listener.unread, listener.messages]).toEqual([1, []])
    await tell(ada)
    await listener.count(1)
    const newest = (await ada.get('/v1/notifications')).body.data[0]
    expect(listener.told.find(({ event }) => event === 'notification')?.data).toEqual(newest)
    await until(() => listener.unread === 2, 'two unread ones')
    await ada.patch(`/v1/notifications/${newest.id}/read`)
    await until(() => listener.unread === 1, 'one unread one')
    await ada.post('/v1/notifications/read-all')
    await until(() => listener.unread === 0, 'no unread ones')
    await tell(ada)
    await until(() => listener.unread === 1, 'another one')
    await ada.delete(`/v1/notifications/${(await ada.get('/v1/notifications')).body.data[0].id}`)
    await until(() => listener.unread === 0, 'that it is deleted')
    expect(stranger.told).toHaveLength(1)
  })

  it('goes on after the last event that is known, in order, however many there were', async () => {
    const ada = await server.newClient()
    const listener = await Listener.of(byKey(ada))
    const { lastId } = listener
    listener.hangUp()
    await tell(ada, 230)
    const again = await Listener.of({ ...byKey(ada), 'Last-Event-ID': lastId })
    await again.count(230)
    await tell(ada)
    await again.count(231)
    expect(new Set(again.messages).size).toBe(231)
    expect(again.messages.slice(131)).toEqual(await listed(ada))
    const middle = again.told[99]?.id as string
    const third = await Listener.of({ ...byKey(ada), 'Last-Event-ID': middle })
    await third.count(231 - again.told.slice(0, 100).filter(({ event }) => event === 'notification').length)
    expect(third.messages).toEqual(again.messages.slice(-third.messages.length))
    const ofAnother = (await Listener.of(byKey(await server.newClient()))).lastId
    for (const unknown of ['none', ofAnother, 'x'.repeat(101)]) {
      const refused = await ada.get(path, { 'Last-Event-ID': unknown })
      expect(refused, unknown).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['header', 'last-event-id'] }] },
      })
    }
  })

  it('begins anew for who has an id as they were before they were sealed, wherever that was', async () => {
    const ada = await server.newClient()
    await tell(ada, 3)
    for (const n of [0, 1, 999_999_999]) {
      const plain = Buffer.from(`after:${n}`).toString('base64url')
      const listener = await Listener.of({ ...byKey(ada), 'Last-Event-ID': plain })
      expect(listener.messages).toEqual([])
      await tell(ada)
      await listener.count(1)
      listener.hangUp()
    }
  })

  it('tells what comes to who knows of more than there is, as after a restore of the database', async () => {
    const ada = await server.newClient()
    const { secrets } = server.context
    const ahead = sealNumber(secrets, { list: 'notifications', of: ada.organizationId }, 999_999_999)
    const listener = await Listener.of({ ...byKey(ada), 'Last-Event-ID': ahead })
    await tell(ada)
    await listener.count(1)
    expect(listener.messages).toEqual(await listed(ada))
    expect(listener.lastId).not.toBe(ahead)
  })

  it.runIf(onPostgres)('waits for whoever is about to commit one with a lower number', async () => {
    const ada = await server.newClient()
    const { queries } = server.context.database
    const { organizationId } = ada
    const listener = await Listener.of(byKey(ada))
    let commit = () => {}
    const committing = new Promise<void>((resolve) => {
      commit = resolve
    })
    let began = false
    const first = asTenant(queries, { organizationId }, async (trx) => {
      await notify(trx, organizationId, 'billing.payment_failed', { webhookId: 'first' })
      began = true
      await committing
    })
    await until(() => began, 'the first one')
    await tell(ada)
    expect(await listed(ada)).toHaveLength(1)
    // What was told after it has come by now.
    const ben = await server.newClient()
    const other = await Listener.of(byKey(ben))
    await tell(ben)
    await other.count(1)
    expect(listener.messages).toEqual([])
    commit()
    await first
    await listener.count(2)
    expect(listener.messages).toEqual(await listed(ada))
  })

  it('ends when it was asked to', async () => {
    const ada = await server.newClient()
    const listener = await Listener.of(byKey(ada), '?max_seconds=1')
    await listener.over()
    expect((await ada.request('HEAD', path)).status).toBe(200)
  })
})

describe('who may listen', () => {
  it('has the right to read notifications, and is bound to nobody', async () => {
    const ada = await newUser(server)
    const organization = { organizationId: ada.organizationId }
    const writer = await server.newClient({ ...organization, scopes: ['notifications:write'] })
    expect(await writer.get(path)).toMatchObject({
      status: 403,
      body: { detail: 'Insufficient scope: notifications:read required' },
    })
    const subject = { name: 'somebody', isShared: false }
    const bound = await server.newClient({ ...organization, scopes: ['memory:read'], subject })
    expect((await bound.get(path)).status).toBe(403)
    expect((await fetch(server.url + path)).status).toBe(401)
    const ben = await newUser(server)
    const foreign = await ben.get(path, { 'X-Organization-Id': ada.organizationId })
    expect(foreign.status).toBe(404)
    await addMember(server, ada, ben, 'member')
    const listener = await Listener.of({ ...byToken(ben), 'X-Organization-Id': ada.organizationId })
    await tell(ada)
    await listener.count(1)
    expect(server.context.feed.size).toBe(1)
  })

  it('hears nothing more once the key is revoked, the session is over or the membership ended', async () => {
    const [ada, ben] = [await newUser(server), await newUser(server)]
    await addMember(server, ada, ben, 'member')
    const key = await server.newClient({ organizationId: ada.organizationId })
    const leaving = await ada.signInAgain()
    const listeners = [
      await Listener.of(byKey(key)),
      await Listener.of(byToken(leaving)),
      await Listener.of({ ...byToken(ben), 'X-Organization-Id': ada.organizationId }),
    ]
    const stays = await Listener.of(byToken(ada))
    await ada.delete(`/v1/api-keys/${key.keyId}`)
    await leaving.post('/v1/auth/logout')
    await ada.delete(`/v1/organizations/${ada.organizationId}/members/${ben.userId}`)
    await tell(ada)
    await stays.count(1)
    await Promise.all(listeners.map((each) => each.over()))
    expect(listeners.map(({ messages }) => messages)).toEqual([[], [], []])
    expect(stays.isOver).toBe(false)
  })

  it('hears nothing of the next organization where the one that it began with is lost', async () => {
    const [ada, ben] = [await newUser(server), await newUser(server)]
    // Before his own: a request that names none is for it.
    await addMember(server, ada, ben, 'member', new Date(0))
    const listener = await Listener.of(byToken(ben))
    await tell(ada)
    await listener.count(1)
    await ada.delete(`/v1/organizations/${ada.organizationId}/members/${ben.userId}`)
    await tell(ben)
    await tell(ada)
    await listener.over()
    expect(listener.messages).toHaveLength(1)
    const own = await Listener.of(byToken(ben))
    await tell(ben)
    await own.count(1)
  })

  it('is looked at while nothing happens too', async () => {
    await beatOften(50)
    const ada = await newUser(server)
    const key = await server.newClient({ organizationId: ada.organizationId })
    const listener = await Listener.of(byKey(key))
    await until(() => listener.text.includes(': still here\n\n'), 'a sign of life')
    await ada.delete(`/v1/api-keys/${key.keyId}`)
    await listener.over()
    await beatOften(limits.streamBeatMs)
  })

  it('has so many streams and no more, and others have theirs', async () => {
    const [ada, ben] = [await server.newClient(), await server.newClient()]
    const opened = await Promise.all(
      Array.from({ length: limits.notificationStreams }, () => Listener.of(byKey(ada))),
    )
    expect(await ada.get(path)).toMatchObject({ status: 429, body: { detail: 'Too many streams are open' } })
    // They hold nothing that other requests need.
    expect((await ada.get('/v1/notifications')).status).toBe(200)
    await Listener.of(byKey(ben))
    await tell(ada)
    await Promise.all(opened.map((each) => each.count(1)))
    opened[0]?.hangUp()
    await until(() => server.context.feed.size === limits.notificationStreams, 'room for another')
    await Listener.of(byKey(ada))
  })
})

describe('the client', () => {
  it('connects again by itself, and misses nothing and tells nothing twice', async () => {
    const ada = await server.newClient()
    const client = new MemoryClient({ baseUrl: server.url, apiKey: ada.key, wait: () => Promise.resolve() })
    const ending = new AbortController()
    const told: NotificationEvent[] = []
    const listening = (async () => {
      for await (const event of client.notifications.stream({ signal: ending.signal })) told.push(event)
    })()
    const idsOf = () => told.flatMap((each) => (each.event === 'notification' ? [each.data.id] : []))
    await until(() => told.length === 1, 'the number of unread ones')
    await tell(ada)
    await until(() => idsOf().length === 1, 'the first notification')
    // The service ends its streams, as when it stops.
    await server.context.feed.close()
    await tell(ada, 3)
    server.context.feed = new NotificationFeed(server.context.database)
    await until(() => idsOf().length === 4, 'those of meanwhile')
    expect(idsOf()).toEqual(await listed(ada))
    ending.abort()
    await expect(listening).rejects.toThrow(AbortedError)
  })

  it('ends with the loop, and with what asking again does not help', async () => {
    const ada = await server.newClient()
    const client = new MemoryClient({ baseUrl: server.url, apiKey: ada.key })
    for await (const { event, data } of client.notifications.stream()) {
      expect([event, data]).toEqual(['unread', { unread_count: 0 }])
      break
    }
    await until(() => server.context.feed.size === 0, 'the end of the stream')
    const nobody = new MemoryClient({ baseUrl: server.url, apiKey: `${ada.key.slice(0, -4)}xxxx` })
    await expect(nobody.notifications.stream().next()).rejects.toMatchObject({ status: 401 })
    await expect(client.forSubject('ada').notifications.stream().next()).rejects.toThrow(TypeError)
  })
})
