import { createOrganizationKey } from '@memory/identity/keys/manage-keys'
import { purgeDeliveries, readDeliveryBacklog, testWebhook } from '@memory/identity/webhooks/deliveries'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
} from '@memory/identity/webhooks/manage'
import { asTenant } from '@memory/shared/platform/database/database'
import { largeRowsAtOnce } from '@memory/shared/platform/database/purge'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addMember, auditOf as auditOfOrganization, setPlan } from '../organizations/support.ts'
import {
  Anonymous,
  auditOf,
  mailedToken,
  newEmail,
  newUser,
  queuedMails,
  type User,
} from '../support/accounts.ts'
import { newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { withShortStatements } from '../support/triggers.ts'
import { challenge, enrol } from './authenticator.ts'

let server: TestServer
let anyone: Anonymous

beforeAll(async () => {
  server = await startServer({ PUBLIC_BASE_URL: 'http://memory.test' })
  anyone = new Anonymous(server.url)
})
afterAll(() => server.close())

const password = 'what only the owner knows'

/** Sets a new password as who reads the mailbox does. @returns the user, signed in with it */
async function takeOver(user: User): Promise<User> {
  await anyone.post('/v1/auth/forgot-password', { email: user.email })
  const token = await mailedToken(server, user.userId, 'reset-password')
  expect((await anyone.post('/v1/auth/reset-password', { token, new_password: password })).status).toBe(200)
  return user.with({ password }).signInAgain()
}

async function verify(user: User): Promise<void> {
  const token = await mailedToken(server, user.userId, 'verify-email')
  expect((await anyone.post('/v1/auth/verify-email', { token })).status).toBe(200)
}

const headersOf = ({ organizationId }: User) => ({ 'X-Organization-Id': organizationId })
const newKey = async (user: User, of: User = user): Promise<{ id: string; key: string }> =>
  (await user.post('/v1/api-keys', { name: 'a way in' }, headersOf(of))).body
const opens = async ({ key }: { key: string }): Promise<boolean> =>
  (await anyone.get('/v1/memory/patterns', { 'X-API-Key': key })).status === 200
const opensAs = async (token: string): Promise<boolean> =>
  (await anyone.get('/v1/memory/patterns', { Authorization: `Bearer ${token}` })).status === 200
const newWebhook = async (user: User): Promise<string> =>
  (await user.post('/v1/webhooks', { url: 'https://1.1.1.1/hook' })).body.id
const statusOf = async (user: User, webhookId: string): Promise<string> =>
  (await user.get(`/v1/webhooks/${webhookId}`)).body.status
const invitationsOf = ({ organizationId }: User) => `/v1/organizations/${organizationId}/invitations`
const newestMail = async ({ userId }: User, template: string) =>
  (await queuedMails(server, userId)).findLast((mail) => mail.template === template)?.parameters
const actionsOf = async ({ userId }: User) => (await auditOf(server, userId)).map(({ action }) => action)

/** An account as somebody may set it up under an address that they can't read the mail of. */
async function setUp(user: User) {
  await setPlan(server, user, 'enterprise')
  const key = await newKey(user)
  const subjectToken = (
    await anyone.post('/v1/memory/subject-tokens', { subject: 'ada' }, { 'X-API-Key': key.key })
  ).body.token as string
  const webhook = await newWebhook(user)
  await user.post(`/v1/webhooks/${webhook}/test`)
  const accomplice = await newUser(server)
  await addMember(server, user, accomplice, 'owner')
  const keyOfAccomplice = await newKey(accomplice, user)
  await user.post(invitationsOf(user), { email: newEmail(), role: 'admin' })
  await user.post('/v1/users/me/export')
  const { text } = { text: 'stored before' }
  await user.post('/v1/memory/text/store', { text })
  return { key, subjectToken, webhook, accomplice, keyOfAccomplice }
}

describe('an account whose address nobody had verified, taken over by the mailed token', () => {
  it('leaves nobody else a way in, and says what ended', async () => {
    const user = await newUser(server)
    const before = await setUp(user)
    expect([await opens(before.key), await opensAs(before.subjectToken)]).toEqual([true, true])
    const owner = await takeOver(user)
    expect((await owner.get('/v1/users/me')).body).toMatchObject({ email_verified: true })
    expect((await user.get('/v1/users/me')).status).toBe(401)
    const { refreshToken: refresh_token } = user
    expect((await anyone.post('/v1/auth/refresh', { refresh_token })).status).toBe(401)
    expect(await opens(before.key)).toBe(false)
    expect(await opensAs(before.subjectToken)).toBe(false)
    expect(await opens(before.keyOfAccomplice)).toBe(false)
    const asked = await before.accomplice.get('/v1/memory/patterns', headersOf(user))
    expect(asked.status).toBe(404)
    expect(await statusOf(owner, before.webhook)).toBe('disabled')
    await purgeDeliveries(server.context.database.queries)
    const { deliveries } = (await owner.get(`/v1/webhooks/${before.webhook}/deliveries`)).body
    expect(deliveries).toMatchObject([{ status: 'failed', next_attempt_at: null }])
    expect((await owner.get(invitationsOf(owner))).body).toEqual({ invitations: [] })
    const exports = await asTenant(server.context.database.queries, owner, (trx) =>
      trx.withSchema('app').selectFrom('exports').select(['id', 'status']).execute(),
    )
    expect(exports).toMatchObject([{ status: 'failed' }])
    expect((await owner.get(`/v1/users/me/exports/${exports[0]?.id}`)).status).toBe(404)
    // What was stored is the organization's, which stays the user's.
    expect((await owner.get('/v1/memory/patterns')).body.patterns).toMatchObject([{ text: 'stored before' }])
    const ended = { key: 2, webhook: 1, invitation: 1, member: 1 }
    expect(await newestMail(owner, 'password-changed')).toMatchObject({ ended })
    const entries = await auditOf(server, owner.userId)
    const action = (name: string) => entries.filter((entry) => entry.action === name)
    expect(action('password_reset')).toMatchObject([{ details: { ended } }])
    expect(action('email_verified')).toMatchObject([{ details: { by: 'reset' } }])
    expect(
      action('key_revoked')
        .map(({ target }) => target)
        .toSorted(),
    ).toEqual([before.key.id, before.keyOfAccomplice.id].toSorted())
    for (const name of ['webhook_disabled', 'invitation_withdrawn', 'member_removed']) {
      const [entry] = await auditOfOrganization(server, owner, new RegExp(`^${name}$`))
      expect(entry, name).toMatchObject({ actor_id: owner.userId, details: { by: 'password_reset' } })
    }
  })

  it('is taken over however many deliveries wait, and none of them is sent', async () => {
    const user = await newUser(server)
    const { queries } = server.context.database
    const webhook = await newWebhook(user)
    const most = largeRowsAtOnce
    await asTenant(queries, user, (trx) =>
      sql`insert into app.webhook_deliveries (organization_id, webhook_id, event_id, event_type, body, next_attempt_at)
        select ${user.organizationId}::uuid, ${webhook}::uuid, gen_random_uuid(), 'webhook.test', '{}', now()
          from generate_series(1, ${most + 1}::int)`.execute(trx),
    )
    const waiting = async () => (await readDeliveryBacklog(queries, server.clock.now())).due
    const before = await waiting()
    const short = { table: 'webhook_deliveries', change: 'update', most } as const
    await withShortStatements(queries, short, async () => {
      const owner = await takeOver(user)
      expect(await waiting()).toBe(before - most - 1)
      await purgeDeliveries(queries)
      const pending = await owner.get(`/v1/webhooks/${webhook}/deliveries?status=pending`)
      expect(pending.body.deliveries).toEqual([])
    })
  })

  it('M5 keeps its second factor, but no sign-in that waits for a code', async () => {
    const user = await newUser(server)
    const { app } = await enrol(user, server.clock)
    const waiting = await challenge(user)
    const key = await newKey(user)
    await anyone.post('/v1/auth/forgot-password', { email: user.email })
    const token = await mailedToken(server, user.userId, 'reset-password')
    expect((await anyone.post('/v1/auth/reset-password', { token, new_password: password })).status).toBe(200)
    expect(await opens(key)).toBe(false)
    const mfa = { token: waiting, code: app.nextCode() }
    expect((await anyone.post('/v1/auth/mfa/login', mfa)).status).toBe(401)
    const credentials = { email: user.email, password }
    expect((await anyone.post('/v1/auth/login', credentials)).body).toMatchObject({
      mfa_required: true,
      access_token: null,
    })
    expect((await anyone.post('/v1/auth/login', { ...credentials, mfa_code: app.code() })).status).toBe(200)
  })

  it('is told before what a reset ends, and how to keep it', async () => {
    const user = await newUser(server)
    await anyone.post('/v1/auth/forgot-password', { email: user.email })
    expect(await newestMail(user, 'reset-password')).toMatchObject({ isVerified: false })
    await verify(user)
    await anyone.post('/v1/auth/forgot-password', { email: user.email })
    expect(await newestMail(user, 'reset-password')).toMatchObject({ isVerified: true })
  })

  it('loses nothing by a token that does not hold', async () => {
    const user = await newUser(server)
    const key = await newKey(user)
    await anyone.post('/v1/auth/forgot-password', { email: user.email })
    const token = await mailedToken(server, user.userId, 'reset-password')
    const short = { token, new_password: 'short' }
    expect((await anyone.post('/v1/auth/reset-password', short)).status).toBe(422)
    const unknown = { token: `${token.slice(0, -1)}_`, new_password: password }
    expect((await anyone.post('/v1/auth/reset-password', unknown)).status).toBe(401)
    expect(await opens(key)).toBe(true)
    expect((await user.get('/v1/users/me')).body.email_verified).toBe(false)
  })

  it('keeps what operators made, and in organizations of others what others made', async () => {
    const [user, host] = [await newUser(server), await newUser(server)]
    await setPlan(server, host, 'enterprise')
    const operators = await newConformingClient(server, { organizationId: user.organizationId })
    await addMember(server, host, user, 'owner')
    const [own, hosts] = [await newKey(user, host), await newKey(host)]
    const webhook = await newWebhook(host)
    await user.post(invitationsOf(host), { email: newEmail(), role: 'member' })
    const hostsInvitation = await host.post(invitationsOf(host), { email: newEmail(), role: 'member' })
    const owner = await takeOver(user)
    expect(await opens(operators)).toBe(true)
    expect([await opens(own), await opens(hosts)]).toEqual([false, true])
    expect(await statusOf(host, webhook)).toBe('active')
    expect((await host.get(invitationsOf(host))).body.invitations).toEqual([hostsInvitation.body])
    expect((await owner.get('/v1/organizations')).body.organizations).toHaveLength(2)
    // Their administrators see why the key has ended.
    expect(await auditOfOrganization(server, host, /^key_revoked$/)).toMatchObject([
      { target: own.id, details: { by: 'password_reset' } },
    ])
  })

  it.each(['demoted', 'removed'])('does not store with those who have %s it meanwhile', async (how) => {
    const [user, accomplice] = [await newUser(server), await newUser(server)]
    await addMember(server, user, accomplice, 'owner')
    const path = `/v1/organizations/${user.organizationId}/members/${user.userId}`
    const done =
      how === 'demoted' ? await accomplice.patch(path, { role: 'member' }) : await accomplice.delete(path)
    expect(done.status).toBe(200)
    const owner = await takeOver(user)
    const { organizations } = (await owner.get('/v1/organizations')).body
    expect(organizations).toMatchObject([{ role: 'owner' }])
    expect(organizations[0].id).not.toBe(user.organizationId)
    expect((await owner.post('/v1/memory/text/store', { text: 'a diary' })).status).toBe(200)
    const seen = await accomplice.get('/v1/memory/patterns', headersOf(user))
    expect(seen.body.patterns).toEqual([])
  })

  const origin = { ip: '127.0.0.1', isLocal: true, userAgent: null, requestId: 'r' }

  it('leaves no key behind by a request that was under way', async () => {
    const user = await newUser(server)
    const { sessionId, userId, organizationId, email } = user
    await takeOver(user)
    const organization = { id: organizationId, role: 'owner' as const }
    const caller = {
      userId,
      sessionId,
      email,
      emailVerified: false,
      isPlatformAdmin: false,
      organization,
      origin,
    }
    const made = createOrganizationKey(server.context.accounts, caller as never, undefined, {
      name: 'late',
      environment: 'live',
      shared: false,
    } as never)
    await expect(made).rejects.toMatchObject({ code: 'organization_not_found' })
  })

  it.each(['session', 'key'] as const)(
    'leaves no webhook behind by a request of a %s that was under way',
    async (kind) => {
      const user = await newUser(server)
      const { sessionId, userId, organizationId, email } = user
      const { id: keyId } = await newKey(user)
      const hook = await newWebhook(user)
      const actor =
        kind === 'key' ? { kind, keyId } : { kind: 'user', userId, sessionId, email, role: 'owner' }
      const caller = { actor, origin, organizationId, environment: 'live' } as never
      const { webhooks } = server.context
      // Before, the caller may.
      await changeWebhook(webhooks, caller, hook, { description: 'before' })
      const owner = await takeOver(user)
      const code = kind === 'key' ? 'invalid_api_key' : 'organization_not_found'
      const late = [
        () => createWebhook(webhooks, caller, { url: 'https://1.1.1.1/late', description: undefined }),
        () => changeWebhook(webhooks, caller, hook, { status: 'active', description: undefined }),
        () => changeWebhook(webhooks, caller, hook, { url: 'https://1.1.1.1/late', description: undefined }),
        () => rotateWebhookSecret(webhooks, caller, hook),
        () => deleteWebhook(webhooks, caller, hook),
        () => testWebhook(webhooks, caller, hook),
      ]
      for (const request of late) await expect(request()).rejects.toMatchObject({ code })
      expect((await owner.get('/v1/webhooks')).body.webhooks).toMatchObject([
        { id: hook, status: 'disabled', url: 'https://1.1.1.1/hook', description: 'before' },
      ])
    },
  )

  it('leaves no webhook behind by a request that looks up a host name meanwhile', async () => {
    const user = await newUser(server)
    const { sessionId, userId, organizationId, email } = user
    const actor = { kind: 'user', userId, sessionId, email, role: 'owner' }
    const caller = { actor, origin, organizationId, environment: 'live' } as never
    const gate = { admit: () => takeOver(user) }
    const made = createWebhook({ ...server.context.webhooks, gate } as never, caller, {
      url: 'https://1.1.1.1/late',
      description: undefined,
    })
    await expect(made).rejects.toMatchObject({ code: 'organization_not_found' })
  })

  it('of 10 resets at once is taken over once', async () => {
    const user = await newUser(server)
    const key = await newKey(user)
    await anyone.post('/v1/auth/forgot-password', { email: user.email })
    const token = await mailedToken(server, user.userId, 'reset-password')
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        anyone.post('/v1/auth/reset-password', { token, new_password: password }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await opens(key)).toBe(false)
    expect((await actionsOf(user)).filter((action) => action === 'email_verified')).toHaveLength(1)
  })
})

describe('an account whose address is verified', () => {
  it('M5 keeps all but its sessions when the password is reset, and asks for the second factor', async () => {
    const user = await newUser(server)
    const before = await setUp(user)
    const { app } = await enrol(user, server.clock)
    await verify(user)
    await anyone.post('/v1/auth/forgot-password', { email: user.email })
    const token = await mailedToken(server, user.userId, 'reset-password')
    await anyone.post('/v1/auth/reset-password', { token, new_password: password })
    const credentials = { email: user.email, password }
    const { body } = await anyone.post('/v1/auth/login', credentials)
    expect(body).toMatchObject({ mfa_required: true, access_token: null })
    const mfa_code = app.nextCode()
    const signedIn = (await anyone.post('/v1/auth/login', { ...credentials, mfa_code })).body
    const owner = user.with({ password, accessToken: signedIn.access_token })
    expect([await opens(before.key), await opens(before.keyOfAccomplice)]).toEqual([true, true])
    expect(await opensAs(before.subjectToken)).toBe(true)
    expect(await statusOf(owner, before.webhook)).toBe('active')
    expect((await owner.get(invitationsOf(owner))).body.invitations).toHaveLength(1)
    const members = await owner.get(`/v1/organizations/${owner.organizationId}/members`)
    expect(members.body.members).toHaveLength(2)
    expect(await newestMail(owner, 'password-changed')).not.toHaveProperty('ended')
    expect((await actionsOf(owner)).filter((action) => action === 'email_verified')).toHaveLength(1)
  })
})
