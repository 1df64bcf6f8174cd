import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localOrganizationId } from '@memory/identity/keys/bootstrap'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Anonymous, User } from '../support/accounts.ts'
import { run, type ServiceProcess, startService } from './service-process.ts'

let dataDir: string
let service: ServiceProcess
let ada: User

const password = 'a password of some length'
const email = 'ada@example.com'

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'memory-accounts-'))
  service = await startService(dataDir)
  const { body } = await new Anonymous(service.url).post('/v1/auth/register', { email, password })
  ada = new User(service.url, {
    userId: body.user_id,
    organizationId: body.organization_id,
    email,
    password,
    accessToken: body.access_token,
    refreshToken: body.refresh_token,
  })
}, 60_000)

afterAll(async () => {
  await service?.stop('SIGTERM')
  rmSync(dataDir, { recursive: true, force: true })
})

const accounts = (...args: string[]) => run('apps/cli/src/accounts.ts', args, { MEMORY_DATA_DIR: dataDir })
const lines = (output: string) => output.trimEnd().split('\n')

it('npm run accounts suspends and activates a user beside the service', async () => {
  const suspended = await accounts('suspend', email)
  expect(suspended).toMatchObject({ code: 0, stderr: '' })
  expect(lines(suspended.stdout).slice(0, 2)).toEqual([
    `Suspended. Access tokens of ${email} are refused from now on, and so is signing in.`,
    'API keys of organizations go on; npm run keys lists and revokes them.',
  ])
  expect(suspended.stdout).toContain(ada.organizationId)
  expect(await ada.get('/v1/users/me')).toMatchObject({ status: 401, body: { detail: 'Token revoked' } })
  await expect(ada.signInAgain()).rejects.toThrow('login answered 403: {"detail":"Account suspended"}')
  expect((await accounts('find', email)).stdout).toMatch(/^status +suspended$/m)
  expect(await accounts('activate', email)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Active\./),
  })
  expect((await ada.get('/v1/users/me')).status).toBe(200)
})

it('npm run accounts lets an account take over what was stored before it', async () => {
  await service.client().store(['Ada lives in London'])
  const sees = () =>
    ada.post('/v1/memory/text/retrieve', { query: 'Ada' }, { 'X-Organization-Id': localOrganizationId })
  expect((await sees()).status).toBe(404)
  expect(await accounts('add-owner', email)).toMatchObject({
    code: 0,
    stdout: `${email} owns organization ${localOrganizationId}. Requests name it in X-Organization-Id.\n`,
  })
  expect(JSON.stringify((await sees()).body)).toContain('Ada lives in London')
  expect((await accounts('add-owner', email, '--organization', localOrganizationId)).stdout).toContain(
    'already',
  )
})

it('npm run accounts says in one sentence why it can not', async () => {
  const nobody = 'nobody@example.com'
  const calls: [code: number, words: string, args: string[]][] = [
    [1, `There is no user ${nobody}.`, ['find', nobody]],
    [1, `There is no user ${nobody}.`, ['suspend', nobody]],
    [1, 'There is no organization', ['add-owner', email, '--organization', ada.userId]],
    [2, 'Say whose account', ['suspend']],
    [2, 'Say whose account', ['suspend', 'ada']],
    [2, 'more than a command says', ['find', email, email]],
    [2, '--organization is for add-owner', ['find', email, '--organization', localOrganizationId]],
    [2, '--organization is the id', ['add-owner', email, '--organization', 'mine']],
    [2, 'Say find, suspend', ['lose', email]],
  ]
  const answers = await Promise.all(calls.map(([, , args]) => accounts(...args)))
  answers.forEach(({ code, stdout, stderr }, n) => {
    expect([code, stdout]).toEqual([calls[n]?.[0], ''])
    expect(stderr).toContain(calls[n]?.[1])
    expect(lines(stderr)).toHaveLength(1)
  })
}, 60_000)

it('npm run accounts does the same without the service', async () => {
  await service.stop('SIGTERM')
  const found = await accounts('find', email)
  expect(found).toMatchObject({ code: 0, stderr: '' })
  expect(lines(found.stdout).map((line) => line.slice(0, 16).trim())).toEqual([
    ...['id', 'email', 'status', 'verified', 'MFA', 'platform admin', 'created', 'last login'],
    ...['organization', 'organization'],
  ])
  expect(found.stdout).toMatch(
    new RegExp(`^organization +${localOrganizationId}  enterprise  owner  Local$`, 'm'),
  )
  expect(await accounts('suspend', 'nobody@example.com')).toMatchObject({
    code: 1,
    stderr: 'There is no user nobody@example.com.\n',
  })
}, 60_000)
