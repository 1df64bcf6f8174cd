import { randomUUID } from 'node:crypto'
import { asTask, asTenant } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner } from '../platform/open-database.ts'
import { Anonymous, auditOf, newUser, type User } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let anybody: Anonymous
let admin: User

beforeAll(async () => {
  server = await startServer({ MEMORY_PLATFORM_ADMINS: 'root@example.com' })
  anybody = new Anonymous(server.url)
  admin = await newUser(server, { email: 'root@example.com' })
})

afterAll(() => server.close())

const login = ({ email, password }: User) => anybody.post('/v1/auth/login', { email, password })
const restore = (user: User) => admin.post(`/v1/admin/users/${user.userId}/restore`)

/** Makes a user a member of another's organization. */
const join = (member: User, { organizationId }: User, role: 'owner' | 'admin' | 'member') =>
  asTenant(server.context.database.queries, { organizationId }, (trx) =>
    trx
      .withSchema('app')
      .insertInto('memberships')
      .values({ organization_id: organizationId, user_id: member.userId, role })
      .execute(),
  )

/** As if the account had been deleted so many days earlier. */
const backdate = (user: User, days: number) =>
  asTask(server.context.database.queries, 'administer-accounts', async (trx) => {
    const earlier = sql`deleted_at - make_interval(days => ${days})`
    await sql`update app.users set deleted_at = ${earlier} where id = ${user.userId}`.execute(trx)
    await sql`update app.organizations set deleted_at = ${earlier} where id = ${user.organizationId}`.execute(
      trx,
    )
  })

const organizationOf = (user: User) =>
  asOwner(server.context.database.queries, (trx) =>
    trx
      .withSchema('app')
      .selectFrom('organizations')
      .select(['id', 'deleted_at'])
      .where('id', '=', user.organizationId)
      .executeTakeFirst(),
  )

const revoked = { status: 401, body: { detail: 'Token revoked' } }

describe('DELETE /v1/users/me', () => {
  it('D1 ends every session and the keys of the organization at once', async () => {
    const ada = await newUser(server)
    const elsewhere = await ada.signInAgain()
    const key = await server.newClient({ organizationId: ada.organizationId })
    await key.store(['Ada lives in London'])
    const deleted = await ada.delete('/v1/users/me')
    expect(deleted).toMatchObject({
      status: 200,
      body: { message: expect.stringContaining('Account deleted') },
    })
    for (const session of [ada, elsewhere]) {
      expect(await session.get('/v1/users/me')).toMatchObject(revoked)
      expect(await session.delete('/v1/users/me')).toMatchObject(revoked)
      const refreshed = await anybody.post('/v1/auth/refresh', { refresh_token: session.refreshToken })
      expect(refreshed.status).toBe(401)
    }
    expect(await key.get('/v1/memory/text/stats')).toMatchObject({
      status: 401,
      body: { detail: 'Invalid API key' },
    })
  })

  it('says so at login, after the right password alone', async () => {
    const ada = await newUser(server)
    await ada.delete('/v1/users/me')
    expect(await login(ada)).toMatchObject({
      status: 403,
      body: { detail: 'Account scheduled for deletion; contact support' },
    })
    expect(await login(ada.with({ password: 'a wrong password' }))).toMatchObject({
      status: 401,
      body: { detail: 'Invalid email or password' },
    })
    const again = await anybody.post('/v1/auth/register', {
      email: ada.email,
      password: `a new ${randomUUID()}`,
    })
    expect(again.status).toBe(409)
  })

  it('is mailed, with all that restoring the account takes, and is in the audit log', async () => {
    const ada = await newUser(server)
    await ada.delete('/v1/users/me')
    const mail = (await server.mails()).at(-1)
    expect(mail).toMatchObject({ to: ada.email, subject: 'Your account is scheduled for deletion' })
    const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
    expect(mail?.text).toContain(day.format(new Date(Date.now() + 30 * 86_400_000)))
    // A deleted user has no token to ask for the id with, and a platform admin no list of users.
    expect(mail?.text).toContain(ada.userId)
    await restore(ada)
    const { body } = await (await ada.signInAgain()).get('/v1/security/audit-log')
    expect(body.entries[2]).toMatchObject({
      action: 'account_deleted',
      actor_email: ada.email,
      success: true,
    })
  })

  it('is in the logs of the organizations that have a member less, and its restoration of one more', async () => {
    const [ada, ben] = [await newUser(server), await newUser(server)]
    await join(ben, ada, 'member')
    await ben.delete('/v1/users/me')
    await restore(ben)
    const { body } = await ada.get('/v1/security/audit-log')
    expect(body.entries.slice(0, 2)).toMatchObject([
      { action: 'account_restored', actor_email: '', details: { email: ben.email } },
      { action: 'account_deleted', actor_email: ben.email },
    ])
    // Each once for the user, in the log of their own.
    const own = (await auditOf(server, ben.userId)).map(({ action }) => action)
    expect(own.filter((action) => action === 'account_deleted')).toHaveLength(1)
  })

  it('refuses the last owner of an organization with other members, until one of them owns it too', async () => {
    const [ada, ben] = [await newUser(server), await newUser(server)]
    await join(ben, ada, 'member')
    const refused = await ada.delete('/v1/users/me')
    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('last owner') } })
    expect((await ada.get('/v1/users/me')).status).toBe(200)
    await ada.patch(`/v1/organizations/${ada.organizationId}/members/${ben.userId}`, { role: 'owner' })
    expect((await ada.delete('/v1/users/me')).status).toBe(200)
    expect(await organizationOf(ada)).toMatchObject({ deleted_at: null })
    const headers = { 'X-Organization-Id': ada.organizationId }
    expect((await ben.get(`/v1/organizations/${ada.organizationId}`, headers)).body).toMatchObject({
      role: 'owner',
    })
  })

  it('of two owners who delete their accounts at once, none leaves an organization without anybody', async () => {
    for (const role of ['owner', 'member'] as const) {
      const [ada, ben] = [await newUser(server), await newUser(server)]
      await join(ben, ada, role)
      const answers = await Promise.all([ada.delete('/v1/users/me'), ben.delete('/v1/users/me')])
      const statuses = answers.map(({ status }) => status)
      expect(statuses[1]).toBe(200)
      const isDeleted = (await organizationOf(ada))?.deleted_at !== null
      // Who owns it alone goes only after the other has gone.
      expect(isDeleted).toBe(statuses[0] === 200)
      if (role === 'owner') expect(statuses).toEqual([200, 200])
    }
  })

  it('K2 is closed to API keys', async () => {
    const ada = await newUser(server)
    const key = await server.newClient({ organizationId: ada.organizationId })
    expect(await key.delete('/v1/users/me')).toMatchObject({
      status: 403,
      body: { detail: 'This endpoint requires a user access token' },
    })
  })
})

describe('POST /v1/admin/users/{user_id}/restore', () => {
  it('D1 brings back the account, its organization, keys and memory, and not its sessions', async () => {
    const ada = await newUser(server)
    const key = await server.newClient({ organizationId: ada.organizationId })
    await key.store(['Ada lives in London'])
    await ada.delete('/v1/users/me')
    await backdate(ada, 29)
    expect(await restore(ada)).toMatchObject({ status: 200, body: { message: 'Account restored' } })
    expect(await key.retrieve('Where does Ada live?')).toEqual(['Ada lives in London'])
    expect(await ada.get('/v1/users/me')).toMatchObject(revoked)
    const again = await ada.signInAgain()
    expect((await again.get('/v1/users/me')).body).toMatchObject({
      id: ada.userId,
      status: 'active',
      organization_id: ada.organizationId,
    })
    const restored = (await auditOf(server, ada.userId)).find(({ action }) => action === 'account_restored')
    expect(restored).toMatchObject({ actor_id: admin.userId, target: ada.userId, success: true })
    expect(await restore(ada)).toMatchObject({
      status: 409,
      body: { detail: 'The account is not scheduled for deletion' },
    })
  })

  it('does not find an account after 30 days, nor one that never was', async () => {
    const ada = await newUser(server)
    await ada.delete('/v1/users/me')
    await backdate(ada, 30)
    expect(await restore(ada)).toMatchObject({ status: 404, body: { detail: 'User not found' } })
    expect((await admin.post(`/v1/admin/users/${randomUUID()}/restore`)).status).toBe(404)
    expect((await admin.post('/v1/admin/users/ada/restore')).status).toBe(422)
  })

  it('leaves an organization deleted that its owner deleted later, where a member alone is restored', async () => {
    const [ada, ben] = [await newUser(server), await newUser(server)]
    await join(ben, ada, 'member')
    await ben.delete('/v1/users/me')
    await ada.delete('/v1/users/me')
    await restore(ben)
    expect((await organizationOf(ada))?.deleted_at).not.toBeNull()
    await restore(ada)
    expect((await organizationOf(ada))?.deleted_at).toBeNull()
  })

  it('brings back an organization that was deleted with the last of its owners, by whichever of them', async () => {
    for (const back of [0, 1]) {
      const [ada, ben] = [await newUser(server), await newUser(server)]
      await join(ben, ada, 'owner')
      await ada.delete('/v1/users/me')
      await ben.delete('/v1/users/me')
      expect((await organizationOf(ada))?.deleted_at).not.toBeNull()
      const restored = [ada, ben][back] as User
      await restore(restored)
      expect((await organizationOf(ada))?.deleted_at).toBeNull()
      const { body } = await (await restored.signInAgain()).get('/v1/organizations')
      expect(body.organizations.map(({ id }: { id: string }) => id)).toContain(ada.organizationId)
    }
  })

  it('is for platform admins alone', async () => {
    const [ada, ben] = [await newUser(server), await newUser(server)]
    await ada.delete('/v1/users/me')
    const refused = await ben.post(`/v1/admin/users/${ada.userId}/restore`)
    expect(refused).toMatchObject({ status: 403, body: { detail: 'Platform admin required' } })
    expect((await login(ada)).status).toBe(403)
  })
})
