import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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
})

afterAll(async () => {
  await service?.stop('SIGTERM')
  rmSync(dataDir, { recursive: true, force: true })
})

const accounts = (...args: string[]) => run('apps/cli/src/accounts.ts', args, { MEMORY_DATA_DIR: dataDir })
const lines = (output: string) => output.trimEnd().split('\n')
/** What a command says on standard error before what it may have to complain of. */
const works = (through = '') => `Database: embedded, ${join(dataDir, 'database')}${through}\n`
const throughService = ', through the service that runs'

it('npm run accounts suspends and activates a user beside the service', async () => {
  const suspended = await accounts('suspend', email)
  expect(suspended).toMatchObject({ code: 0, stderr: works(throughService) })
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

it('npm run accounts lists users and organizations beside the service, for a person and as JSON', async () => {
  const users = await accounts('list-users')
  expect(users).toMatchObject({ code: 0, stderr: works(throughService) })
  expect(users.stdout).toMatch(
    new RegExp(`^${ada.userId}  ${email}  active  not verified  created .+Z  last login .+Z\n$`),
  )
  const organizations = await accounts('list-organizations')
  expect(lines(organizations.stdout)).toEqual([
    expect.stringMatching(
      new RegExp(`^${localOrganizationId}  enterprise  members \\d  created .+Z  Local$`),
    ),
    expect.stringMatching(new RegExp(`^${ada.organizationId}  free  members 1  created .+Z  .+$`)),
  ])
  const asJson = async (...args: string[]) => JSON.parse((await accounts(...args, '--json')).stdout)
  const user = { id: ada.userId, email, status: 'active', verified_at: null, is_platform_admin: false }
  const listed = { ...user, created_at: expect.any(String), last_login_at: expect.any(String) }
  expect(await asJson('list-users')).toEqual({ users: [listed] })
  expect(await asJson('list-users', '--organization', ada.organizationId)).toEqual({
    users: [{ ...listed, role: 'owner' }],
  })
  expect((await asJson('list-organizations')).organizations).toEqual([
    expect.objectContaining({ id: localOrganizationId, name: 'Local', plan: 'enterprise' }),
    expect.objectContaining({ id: ada.organizationId, members: 1, deleted_at: null }),
  ])
  expect(await asJson('find', email)).toMatchObject({
    email,
    has_mfa: false,
    organizations: expect.any(Array),
  })
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
    [2, 'Say list-users, list-organizations, list-receipts, find, suspend', ['lose', email]],
    [1, 'There is no organization', ['list-users', '--organization', ada.userId]],
    [2, '--organization is the id', ['list-users', '--organization', 'mine']],
    [2, '--organization is for list-users', ['list-organizations', '--organization', localOrganizationId]],
    [2, 'more than a command says', ['list-users', email]],
  ]
  const answers = await Promise.all(calls.map(([, , args]) => accounts(...args)))
  answers.forEach(({ code, stdout, stderr }, n) => {
    expect([code, stdout]).toEqual([calls[n]?.[0], ''])
    const complaint = stderr.replace(works(throughService), '')
    expect(complaint).toContain(calls[n]?.[1])
    expect(lines(complaint)).toHaveLength(1)
  })
})

it('npm run accounts does the same without the service', async () => {
  await service.stop('SIGTERM')
  const found = await accounts('find', email)
  expect(found).toMatchObject({ code: 0, stderr: works() })
  expect(lines(found.stdout).map((line) => line.slice(0, 16).trim())).toEqual([
    ...['id', 'email', 'status', 'verified', 'MFA', 'platform admin', 'created', 'last login'],
    ...['organization', 'organization'],
  ])
  expect(found.stdout).toMatch(
    new RegExp(`^organization +${localOrganizationId}  enterprise  owner  Local$`, 'm'),
  )
  expect(await accounts('suspend', 'nobody@example.com')).toMatchObject({
    code: 1,
    stderr: `${works()}There is no user nobody@example.com.\n`,
  })
  expect(await accounts('list-users')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(email),
    stderr: works(),
  })
})

it('npm run accounts and npm run keys do not take another program’s listener for the service that left its address', async () => {
  const stranger = createServer((_, response) => response.end('{"database": 1}'))
  await new Promise<void>((done) => stranger.listen(0, '127.0.0.1', done))
  const { port } = stranger.address() as AddressInfo
  writeFileSync(
    join(dataDir, 'operator.json'),
    JSON.stringify({ url: `http://127.0.0.1:${port}`, token: 'x' }),
  )
  try {
    expect(await accounts('find', email)).toMatchObject({ code: 0, stderr: works() })
  } finally {
    stranger.close()
    rmSync(join(dataDir, 'operator.json'))
  }
})

it('no command makes a database, or a folder for one', async () => {
  const nowhere = join(dataDir, 'nowhere')
  const calls: [script: string, ...args: string[]][] = [
    ['keys', 'list'],
    ['keys', 'create', '--name', 'a'],
    ['accounts', 'list-users'],
    ['accounts', 'find', email],
    ['accounts', 'list-signing-keys'],
    ['accounts', 'reapply-erasures'],
  ]
  for (const [script, ...args] of calls) {
    expect(await run(`apps/cli/src/${script}.ts`, args, { MEMORY_DATA_DIR: nowhere })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `There is no database in ${nowhere}: set DATABASE_URL, or MEMORY_DATA_DIR, as the service has it, or start the service once with npm start.\n`,
    })
  }
  expect(existsSync(nowhere)).toBe(false)
})

it('a service without an operators’ listener is to be stopped', async () => {
  service = await startService(dataDir, { OPS_PORT: '0' })
  expect(await accounts('list-users')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `The data directory ${dataDir} is in use by process ${service.pid}, which takes no commands: stop it, or start it with OPS_PORT set to a port.\n`,
  })
})
