import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { enqueueMail } from '@memory/shared/mail/enqueue'
import { removeOldMails } from '@memory/shared/mail/file-mailer'
import { readConfig } from '@memory/shared/platform/config'
import { asTask, asTenant } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Anonymous, newUser } from '../support/accounts.ts'
import { relayAll } from '../support/mails.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { SmtpServer } from './smtp-server.ts'

let server: TestServer
let smtp: SmtpServer | undefined

beforeAll(async () => {
  server = await startServer()
})

afterEach(async () => {
  await smtp?.stop()
  smtp = undefined
  const { queries } = server.context.database
  await asTask(queries, 'relay-outbox', (trx) => sql`delete from app.outbox`.execute(trx))
  await asTask(queries, 'send-mail', (trx) => sql`delete from app.mails`.execute(trx))
})

afterAll(() => server.close())

/** Does the background work, with mails going to a port of this machine. @returns what went wrong */
function relayTo(port: number): Promise<unknown[]> {
  const { context } = server
  const config = readConfig({
    MEMORY_DATA_DIR: context.config.dataDir,
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'Memory <memory@example.com>',
  })
  return relayAll({ ...context, config, secrets: context.accounts.secrets })
}

/** Makes everything that is to be tried again due now. */
const passTime = () =>
  asTask(server.context.database.queries, 'relay-outbox', (trx) =>
    sql`update app.outbox set available_at = now()`.execute(trx),
  )

const queuedMails = () =>
  asTask(server.context.database.queries, 'send-mail', async (trx) => {
    const { rows } = await sql<{
      id: string
      recipient: string
    }>`select id, recipient from app.mails`.execute(trx)
    return rows
  })

const logged = (message: string) => server.logLines.filter((line) => JSON.parse(line).msg === message)

describe('without an SMTP server', () => {
  it('each mail is a file that only its owner reads, newest last', async () => {
    const first = await newUser(server)
    const second = await newUser(server)
    const mails = await server.mails()
    expect(mails.slice(-2).map(({ to }) => to)).toEqual([first.email, second.email])
    expect(mails.at(-1)).toMatchObject({
      subject: 'Verify your email address',
      headers: { from: 'Memory Service <memory@localhost>', 'auto-submitted': 'auto-generated' },
    })
    const folder = join(server.context.config.dataDir, 'outbox')
    const names = readdirSync(folder)
    expect(
      names.every((name) => /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-[\da-f-]{36}\.eml$/.test(name)),
    ).toBe(true)
    for (const name of names) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    expect(await queuedMails()).toEqual([])
  })

  it('a mail is kept for 30 days; files of other kinds are nobody’s business', async () => {
    const ada = await newUser(server)
    await server.mails()
    const folder = join(server.context.config.dataDir, 'outbox')
    const left = '.2020-01-01T00-00-00.000Z-00000000-0000-4000-8000-000000000000.eml.new'
    writeFileSync(join(folder, left), 'half a mail')
    writeFileSync(join(folder, 'notes.txt'), 'mine')
    const days = (count: number) => new Date(Date.now() + count * 86_400_000)
    await removeOldMails(folder, days(29.9))
    expect(readdirSync(folder)).not.toContain(left)
    expect((await server.mails()).at(-1)?.to).toBe(ada.email)
    await removeOldMails(folder, days(30.1))
    expect(readdirSync(folder)).toEqual(['notes.txt'])
    rmSync(join(folder, 'notes.txt'))
    await removeOldMails(join(folder, 'nowhere'), days(0))
  })

  it('a mail of a transaction that is rolled back is never sent', async () => {
    const ada = await newUser(server)
    const before = (await server.mails()).length
    const { context } = server
    const work = asTenant(context.database.queries, { userId: ada.userId }, async (trx) => {
      await enqueueMail(trx, context.accounts.secrets, {
        to: ada.email,
        template: 'mfa-enabled',
        parameters: { at: '2026-01-01T00:00:00Z', ip: null },
        userId: ada.userId,
      })
      throw new Error('the change failed')
    })
    await expect(work).rejects.toThrow('the change failed')
    expect(await server.mails()).toHaveLength(before)
  })

  it('the log says that a mail was sent, and neither to whom nor what', async () => {
    const ada = await newUser(server)
    const { token } = (await server.mails()).at(-1) ?? {}
    expect(token).toMatch(/^verify_/)
    const lines = logged('mail sent')
    expect(JSON.parse(lines.at(-1) as string)).toMatchObject({
      template: 'verify-email',
      mailId: expect.any(String),
    })
    expect(server.logLines.join('\n')).not.toContain(token)
    expect(lines.join('\n')).not.toContain(ada.email)
  })

  it('the token of a mail verifies the address', async () => {
    const ada = await newUser(server)
    const { token, to } = (await server.mails()).at(-1) ?? {}
    expect(to).toBe(ada.email)
    expect((await ada.get('/v1/users/me')).body.email_verified).toBe(false)
    const answer = await new Anonymous(server.url).post('/v1/auth/verify-email', { token })
    expect(answer.status).toBe(200)
    expect((await ada.get('/v1/users/me')).body.email_verified).toBe(true)
  })

  it('the token of a mail resets the password, and the change is told', async () => {
    const ada = await newUser(server)
    const anybody = new Anonymous(server.url)
    await anybody.post('/v1/auth/forgot-password', { email: ada.email })
    const { token, subject } = (await server.mails()).at(-1) ?? {}
    expect(subject).toBe('Reset your password')
    const password = `another ${randomUUID()}`
    const answer = await anybody.post('/v1/auth/reset-password', { token, new_password: password })
    expect(answer.status).toBe(200)
    expect((await ada.with({ password }).signInAgain()).userId).toBe(ada.userId)
    expect((await server.mails()).at(-1)).toMatchObject({
      to: ada.email,
      subject: 'Your password was changed',
    })
  })
})

describe('over SMTP', () => {
  it('a mail arrives once, whole, from MAIL_FROM', async () => {
    smtp = await SmtpServer.start()
    const ada = await newUser(server)
    expect(await relayTo(smtp.port)).toEqual([])
    const [mail, ...others] = smtp.mails
    expect(others).toEqual([])
    expect(mail).toMatchObject({ to: ada.email, headers: { from: 'Memory <memory@example.com>' } })
    expect(mail?.text).toContain(`/verify-email#token=${mail?.token}`)
    expect(mail?.html).toContain(`/verify-email#token=${mail?.token}`)
    expect(await queuedMails()).toEqual([])
    expect(await relayTo(smtp.port)).toEqual([])
    expect(smtp.mails).toHaveLength(1)
  })

  it('L4 while the server is down requests go on, and the mail arrives after its return', async () => {
    smtp = await SmtpServer.start()
    const { port } = smtp
    await smtp.stop()
    const ada = await newUser(server)
    const errors = await relayTo(port)
    expect(errors).toEqual([expect.objectContaining({ name: 'MailError', permanent: false })])
    expect(String(errors[0])).not.toContain(ada.email)
    expect((await ada.get('/v1/users/me')).status).toBe(200)
    expect(await queuedMails()).toEqual([{ id: expect.any(String), recipient: ada.email }])
    smtp = await SmtpServer.start(port)
    await passTime()
    expect(await relayTo(port)).toEqual([])
    expect(smtp.mails.map(({ to }) => to)).toEqual([ada.email])
    expect(await queuedMails()).toEqual([])
  })

  it('L4 a crash between sending and noting it costs one duplicate, which its Message-ID shows', async () => {
    smtp = await SmtpServer.start()
    await newUser(server)
    const [queued] = await queuedMails()
    // The worker died after the mail was sent: its row and its event are still there.
    const { queries } = server.context.database
    const kept = await asTask(queries, 'send-mail', (trx) =>
      trx.withSchema('app').selectFrom('mails').selectAll().executeTakeFirstOrThrow(),
    )
    expect(await relayTo(smtp.port)).toEqual([])
    await asTask(queries, 'send-mail', async (trx) => {
      await trx.withSchema('app').insertInto('mails').values(kept).execute()
    })
    await asTenant(queries, { userId: kept.user_id as string }, (trx) =>
      sql`insert into app.outbox (type, payload) values ('mail.queued', ${JSON.stringify({ mailId: kept.id })})`.execute(
        trx,
      ),
    )
    expect(await relayTo(smtp.port)).toEqual([])
    const ids = smtp.mails.map(({ headers }) => headers['message-id'])
    expect(ids).toEqual([`<${queued?.id}@example.com>`, `<${queued?.id}@example.com>`])
    expect(await queuedMails()).toEqual([])
  })

  it('a mail that the server refuses for good is given up after five attempts, and the log says so', async () => {
    smtp = await SmtpServer.start()
    smtp.answer = '550 No such user here'
    const ada = await newUser(server)
    for (let attempt = 1; attempt < 5; attempt++) {
      expect(await relayTo(smtp.port)).toEqual([expect.objectContaining({ permanent: true })])
      await passTime()
    }
    const before = logged('mail given up').length
    expect(await relayTo(smtp.port)).toEqual([])
    expect(smtp.recipients).toEqual(Array(5).fill(`<${ada.email}>`))
    expect(await queuedMails()).toEqual([])
    const lines = logged('mail given up')
    expect(lines).toHaveLength(before + 1)
    expect(lines.at(-1)).not.toContain(ada.email)
    expect(lines.at(-1)).toContain('EENVELOPE 550')
  })

  it.each<[string, Partial<Pick<SmtpServer, 'answer' | 'answerToSender' | 'answerToMail'>>, string]>([
    ['the sender', { answerToSender: '553 5.1.8 Not yours' }, 'EENVELOPE 553 MAIL FROM'],
    ['the sender, once it has the recipient', { answer: '550 5.1.8 Bad sender' }, 'EENVELOPE 550 RCPT TO'],
    ['to relay', { answer: '554 5.7.1 Relay access denied' }, 'EENVELOPE 554 RCPT TO'],
    ['who has not signed in', { answer: '530 Authentication required' }, 'EENVELOPE 530 RCPT TO'],
    ['the account', { answerToMail: '554 Sending is suspended' }, 'EMESSAGE 554 DATA'],
  ])('no mail is given up while the server refuses %s', async (_what, answers, told) => {
    smtp = await SmtpServer.start()
    Object.assign(smtp, answers)
    const ada = await newUser(server)
    for (let attempt = 0; attempt < 6; attempt++) {
      const errors = await relayTo(smtp.port)
      expect(errors).toEqual([expect.objectContaining({ permanent: false })])
      expect(String(errors[0])).toContain(told)
      await passTime()
    }
    Object.assign(smtp, { answer: '250 OK', answerToSender: '250 OK', answerToMail: '250 Accepted' })
    expect(await relayTo(smtp.port)).toEqual([])
    expect(smtp.mails.map(({ to }) => to)).toEqual([ada.email])
  })

  it.each(['550 5.1.1 No such user', '550 5.1.10 Null MX', '552 5.2.2 Mailbox full', '553 Invalid address'])(
    'a recipient is refused for good by %s',
    async (answer) => {
      smtp = await SmtpServer.start()
      smtp.answer = answer
      await newUser(server)
      expect(await relayTo(smtp.port)).toEqual([expect.objectContaining({ permanent: true })])
    },
  )

  it('a mail is refused five times before it is given up, however often the server was down before', async () => {
    smtp = await SmtpServer.start()
    const ada = await newUser(server)
    for (const [answer, attempts] of [
      ['451 Try again later', 6],
      ['550 No such user here', 4],
    ] as const) {
      smtp.answer = answer
      for (let attempt = 0; attempt < attempts; attempt++) {
        expect(await relayTo(smtp.port)).toHaveLength(1)
        await passTime()
      }
    }
    smtp.answer = '250 OK'
    expect(await relayTo(smtp.port)).toEqual([])
    expect(smtp.mails.map(({ to }) => to)).toEqual([ada.email])
  })

  it('a mail that the server only puts off is tried for three days', async () => {
    smtp = await SmtpServer.start()
    smtp.answer = '451 Try again later'
    await newUser(server)
    for (let attempt = 0; attempt < 8; attempt++) {
      expect(await relayTo(smtp.port)).toEqual([expect.objectContaining({ permanent: false })])
      await passTime()
    }
    expect(await queuedMails()).toHaveLength(1)
    await asTask(server.context.database.queries, 'send-mail', (trx) =>
      sql`update app.mails set created_at = created_at - interval '3 days'`.execute(trx),
    )
    // It is not sent either, though the server takes mails again.
    smtp.answer = '250 OK'
    expect(await relayTo(smtp.port)).toEqual([])
    expect(smtp.mails).toEqual([])
    expect(await queuedMails()).toEqual([])
    expect(logged('mail given up').length).toBeGreaterThan(0)
  })
})
