import { randomUUID } from 'node:crypto'
import { newPatternId } from '@memory/memory/patterns/pattern-id'
import { isScope, type Operation } from '@memory/shared/catalogue/operation'
import { notify } from '@memory/shared/notifications/notify'
import { asTenant } from '@memory/shared/platform/database/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addMember, setPlan } from '../organizations/support.ts'
import { newEmail, newUser, type User } from '../support/accounts.ts'
import { bodyOf, operations, parametersOf, pathWith } from '../support/operations.ts'
import type { Answer } from '../support/requests.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { dumpTables } from '../support/tables.ts'

let server: TestServer
let ada: Owner
let ben: Owner
let admin: User

beforeAll(async () => {
  server = await startServer()
  ada = await newOwner('Ada')
  ben = await newOwner('Ben')
  admin = await newUser(server, { platformAdmin: true })
})

afterAll(() => server.close())

type Ids = Record<string, string>

/** A user with one thing of every kind that has an id. */
interface Owner {
  user: User
  ids: Ids
  /** Texts that are in nobody else's answers. */
  marks: string[]
}

/** Makes the thing that a path parameter names, and what else there is to be known of it. */
const kinds: Record<string, (owner: User) => Promise<{ id: string; marks?: string[] }>> = {
  org_id: async ({ organizationId }) => ({ id: organizationId }),
  user_id: async (owner) => {
    const member = await newUser(server)
    await addMember(server, owner, member, 'member')
    return { id: member.userId, marks: [member.email] }
  },
  key_id: async (owner) => {
    const name = `key of ${owner.userId}`
    const { body } = await owner.post('/v1/api-keys', { name })
    return { id: body.id, marks: [name] }
  },
  invitation_id: async (owner) => {
    const email = newEmail()
    const path = `/v1/organizations/${owner.organizationId}/invitations`
    const { body } = await owner.post(path, { email, role: 'member' })
    return { id: body.id, marks: [email] }
  },
  session_id: async (owner) => ({ id: (await owner.signInAgain()).sessionId }),
  export_id: async (owner) => ({ id: (await owner.post('/v1/users/me/export')).body.export_id }),
  webhook_id: async (owner) => ({ id: (await newWebhook(owner)).id }),
  delivery_id: async (owner) => {
    // Of the webhook that was made before it.
    const { webhooks } = (await owner.get('/v1/webhooks')).body
    return { id: (await owner.post(`/v1/webhooks/${webhooks.at(-1).id}/test`)).body.id }
  },
  notification_id: async (owner) => {
    await asTenant(server.context.database.queries, owner, (trx) =>
      notify(trx, owner.organizationId, 'billing.payment_failed', { webhookId: 'x' }),
    )
    return { id: (await owner.get('/v1/notifications')).body.data[0].id }
  },
  pattern_id: async (owner) => {
    const text = `the secret of ${owner.userId}`
    const { body } = await owner.post('/v1/memory/text/store', { text })
    return { id: body.pattern_id, marks: [text] }
  },
  conflict_id: async (owner) => {
    const texts = [450, 540].map((rent) => `The rent of ${owner.userId} is ${rent} euros a month`)
    await owner.post('/v1/memory/text/batch-store', { items: texts.map((text) => ({ text })) })
    await owner.post('/v1/memory/sleep')
    const { conflicts } = (await owner.get('/v1/memory/conflicts')).body
    return { id: conflicts[0].conflict_id, marks: texts }
  },
  subject: async (owner) => {
    const subject = `subject-of-${owner.userId}`
    await owner.post('/v1/memory/text/store', { text: `what is of the ${subject}`, subject })
    return { id: subject }
  },
}

async function newWebhook(owner: User): Promise<{ id: string }> {
  // A public address needs no name to be resolved, and nothing is sent here.
  const { body } = await owner.post('/v1/webhooks', { url: `https://1.1.1.1/${owner.userId}` })
  return body
}

/** Of one form with the ids of these things, and nobody's. */
const unknown = (name: string): string => (name === 'pattern_id' ? newPatternId(new Date()) : randomUUID())

async function newOwner(name: string, parameters = Object.keys(kinds)): Promise<Owner> {
  const mark = randomUUID()
  const user = await newUser(server, {
    fullName: `${name} ${mark}`,
    organizationName: `${name}'s organization ${mark}`,
  })
  await setPlan(server, user, 'enterprise')
  const ids: Ids = {}
  const marks = [mark, user.userId, user.email, user.sessionId, user.organizationId]
  for (const parameter of parameters) {
    const made = await kinds[parameter]?.(user)
    if (made === undefined) continue
    ids[parameter] = made.id
    marks.push(made.id, ...(made.marks ?? []))
  }
  return { user, ids, marks }
}

/** Numbers count anew in every space, so that there are no foreign ones: `organizations.service.test.ts` tries them. */
const numbers = ['pattern_idx', 'version']
/** What belongs to the installation, and to no organization: the names of queues, and jobs in them. */
const common: Ids = { queue: 'chores', job_id: randomUUID() }
const idsOf = (operation: Operation) =>
  parametersOf(operation).filter((name) => !numbers.includes(name) && !(name in common))

const named = (chosen: readonly Operation[]) => chosen.map((operation) => [operation.id, operation] as const)
const withIds = operations.filter((operation) => idsOf(operation).length > 0)

function send(user: User, operation: Operation, ids: Ids, headers?: Record<string, string>): Promise<Answer> {
  const query = operation.id === 'emptySpace' ? '?confirm=all' : ''
  const path = pathWith(operation, { pattern_idx: '0', version: '1', ...common, ...ids }) + query
  return user.request(operation.method.toUpperCase(), path, bodyOf(operation), headers)
}

const organizationHeader = (id: string | undefined): Record<string, string> =>
  id === undefined ? {} : { 'X-Organization-Id': id }

/** An answer as two callers compare it: without what differs from request to request. */
const comparable = ({ status, headers, body }: Answer) => ({
  status,
  body,
  headers: [...headers].filter(([name]) => !['x-request-id', 'date', 'server-timing'].includes(name)),
})

/** Every row in which Ada is named or that is of her organization. */
async function rowsOfAda(): Promise<string[]> {
  // What she has done herself.
  await server.context.usage.log.flush()
  const rows = await dumpTables(server.context.database.queries)
  const { userId, organizationId } = ada.user
  const spaces = rows.filter(({ table, text }) => table === 'spaces' && text.includes(organizationId))
  const ids = [userId, organizationId, ...spaces.map(({ text }) => JSON.parse(text).id as string)]
  const found = rows.filter(({ text }) => ids.some((id) => text.includes(id)))
  expect(found.length).toBeGreaterThan(15)
  return found.map(({ table, text }) => `${table} ${text}`)
}

/** The ways in which some of the names, and at least one, can be chosen. */
function choices(names: readonly string[]): string[][] {
  const [first, ...rest] = names
  if (first === undefined) return []
  const others = choices(rest)
  return [[first], ...others, ...others.map((each) => [first, ...each])]
}

describe('ids of another organization', () => {
  it('I5 are of kinds that are tried here', () => {
    const tried = [...Object.keys(kinds), ...numbers, ...Object.keys(common)]
    const strange = operations.filter((operation) =>
      parametersOf(operation).some((parameter) => !tried.includes(parameter)),
    )
    expect(strange.map(({ id, path }) => `${id} ${path}`)).toEqual([])
  })

  it.each(named(withIds))('I5 are to %s what nobody’s are', async (_id, operation) => {
    const before = await rowsOfAda()
    const organizations = [
      [undefined, undefined],
      [ada.user.organizationId, randomUUID()],
    ]
    for (const chosen of choices(idsOf(operation))) {
      const foreign = Object.fromEntries(chosen.map((name) => [name, ada.ids[name] as string]))
      const nobodys = Object.fromEntries(chosen.map((name) => [name, unknown(name)]))
      for (const [hers, none] of organizations) {
        const answer = await send(ben.user, operation, { ...ben.ids, ...foreign }, organizationHeader(hers))
        const same = await send(ben.user, operation, { ...ben.ids, ...nobodys }, organizationHeader(none))
        const refused = operation.access === 'platform_admin' && hers === undefined
        expect(answer.status, chosen.join()).toBe(refused ? 403 : 404)
        expect(comparable(answer), chosen.join()).toEqual(comparable(same))
      }
    }
    expect(await rowsOfAda()).toEqual(before)
  })

  it('I5 are to an API key what nobody’s are', async () => {
    const key = await server.newClient()
    for (const operation of withIds.filter(({ access }) => isScope(access))) {
      const ask = (idOf: (name: string) => string) => {
        const ids = Object.fromEntries(idsOf(operation).map((name) => [name, idOf(name)]))
        const path = pathWith(operation, { version: '1', ...ids })
        return key.request(operation.method.toUpperCase(), path, bodyOf(operation))
      }
      const answer = await ask((name) => ada.ids[name] as string)
      expect(answer.status, operation.id).toBe(404)
      expect(comparable(answer), operation.id).toEqual(comparable(await ask(unknown)))
    }
  })
})

describe('an operation of one’s own', () => {
  it('I6 shows every mark that is looked for below to whom it belongs', async () => {
    const reading = operations.filter(({ method, access }) => method === 'get' && access !== 'anyone')
    const shown = await Promise.all(reading.map((operation) => send(ada.user, operation, ada.ids)))
    const whole = JSON.stringify(shown.map(({ body }) => body))
    for (const mark of ada.marks) expect(whole).toContain(mark)
  })

  it.each(named(operations))(
    'I5 I6 %s neither shows nor touches anything of another’s',
    async (_id, operation) => {
      const before = await rowsOfAda()
      const cleo = operation.method === 'get' ? ben : await newOwner('Cleo', parametersOf(operation))
      const answers = [await send(cleo.user, operation, cleo.ids)]
      if (operation.access === 'platform_admin') answers.push(await send(admin, operation, cleo.ids))
      for (const { status, headers, body } of answers) {
        expect(status).toBeLessThan(500)
        const whole = JSON.stringify([...headers, body])
        for (const mark of ada.marks) expect(whole).not.toContain(mark)
      }
      expect(await rowsOfAda()).toEqual(before)
    },
  )

  it.each(named(operations.filter(({ access }) => access !== 'anyone')))(
    'I5 %s is done for no organization of another',
    async (_id, operation) => {
      const before = await rowsOfAda()
      const hers = await send(ben.user, operation, ben.ids, organizationHeader(ada.user.organizationId))
      const nobodys = await send(ben.user, operation, ben.ids, organizationHeader(randomUUID()))
      expect(hers).toMatchObject({ status: 404, body: { detail: 'Organization not found' } })
      expect(comparable(hers)).toEqual(comparable(nobodys))
      expect(await rowsOfAda()).toEqual(before)
    },
  )
})
