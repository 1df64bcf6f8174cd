import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { SmtpServer } from '../mail/smtp-server.ts'
import { Anonymous } from '../support/accounts.ts'
import { until } from '../support/until.ts'
import { type ServiceProcess, startService } from './service-process.ts'

let folder: string
let service: ServiceProcess

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'memory-signals-'))
})

afterEach(async () => {
  await service.stop('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

it('SIGHUP, as of a terminal that is closed, stops a service in order', async () => {
  service = await startService(folder)
  const { code, stdout } = await service.stop('SIGHUP')
  expect(code).toBe(0)
  expect(stdout).toContain('"msg":"stopped"')
  expect(existsSync(join(folder, 'memory.lock'))).toBe(false)
})

it('F7 a mail server that does not answer keeps no service from stopping in order, and gets the mail after its return', async () => {
  const smtp = await SmtpServer.start()
  const settings = { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, MAIL_FROM: 'memory@example.com' }
  try {
    smtp.answer = undefined
    service = await startService(folder, settings)
    const email = 'ada@example.com'
    const registered = { email, password: 'correct horse battery staple' }
    expect((await new Anonymous(service.url).post('/v1/auth/register', registered)).status).toBe(201)
    await until(() => smtp.recipients.length === 1, 'the mail to be in hand')
    const { code, stdout } = await service.stop('SIGTERM')
    expect(code).toBe(0)
    expect(stdout).toContain('"types":["mail.queued"],"msg":"events in hand handed back"')
    expect(existsSync(join(folder, 'memory.lock'))).toBe(false)
    smtp.answer = '250 OK'
    service = await startService(folder, settings)
    await until(() => smtp.mails.length === 1, 'the mail')
    expect(smtp.mails[0]?.to).toBe(email)
  } finally {
    await smtp.stop()
  }
})

/** Gives its child a terminal. */
const terminal = ['python3', '-c', 'import pty, sys; pty.spawn(sys.argv[1:])']
const hasTerminal = spawnSync('python3', ['-c', 'import pty']).status === 0

it.runIf(hasTerminal)(
  'a service stops in order when the terminal that its log goes to is closed',
  async () => {
    service = await startService(folder, {}, { through: terminal })
    const lock = join(folder, 'memory.lock')
    expect(existsSync(lock)).toBe(true)
    await service.stop('SIGKILL')
    await until(() => !existsSync(lock), 'the data directory to be given back')
  },
)

it('SIGINT ends a service at once that is stopping already', async () => {
  service = await startService(folder, { DRAIN_SECONDS: '10' })
  service.child.kill('SIGTERM')
  await until(() => service.stdout.includes('"stopping"'), 'the signal to be seen')
  await until(() => {
    service.child.kill('SIGINT')
    return service.ended
  }, 'the end')
  const { code, stdout } = await service.exit
  expect([code, stdout]).toEqual([
    130,
    expect.stringContaining('"msg":"ended at once, with what was in hand"'),
  ])
})
