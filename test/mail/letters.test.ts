import type { MailParameters, MailTemplate } from '@memory/shared/mail/catalogue'
import { type Letter, toHtml, toText } from '@memory/shared/mail/letter'
import { messageOptions } from '@memory/shared/mail/message-options'
import { writeLetter } from '@memory/shared/mail/templates'
import MailComposer from 'nodemailer/lib/mail-composer'
import { describe, expect, it } from 'vitest'
import { parseMail } from '../support/mails.ts'

const at = '2026-03-04T05:06:07.000Z'
const link = (page: string) => `https://memory.example/base/${page}#token=secret_0-A`

const examples: MailParameters = {
  'verify-email': { link: link('verify-email') },
  'reset-password': { link: link('reset-password'), ip: '192.0.2.1' },
  'password-changed': { at, ip: null },
  'refresh-token-reuse': { at, ip: '192.0.2.1', device: 'Firefox on Linux' },
  'mfa-enabled': { at, ip: '192.0.2.1' },
  'mfa-disabled': { at, ip: '192.0.2.1' },
  invitation: {
    organization: 'Ada & Co',
    inviter: 'Ada',
    role: 'admin',
    link: link('invitation'),
    until: at,
  },
  'account-deleted': { userId: 'b8a1f3c2-5d0e-4c7b-9e64-0f2d7a91c35e', until: at },
  'webhook-disabled': {
    host: 'hooks.example.com',
    webhookId: 'b8a1f3c2-5d0e-4c7b-9e64-0f2d7a91c35e',
    reason: 'failing',
    at,
  },
  'export-ready': { link: 'https://memory.example/base/v1/users/me/exports/1/download', until: at },
  'export-failed': { isTooLarge: false },
}
const templates = Object.keys(examples) as MailTemplate[]

const write = (template: MailTemplate) => writeLetter(template, examples[template] as never)

describe.each(templates)('the mail %s', (template) => {
  it('has a subject of one short line, and says the same as text and as HTML', () => {
    const letter = write(template)
    expect(letter.subject).toMatch(/^[A-Z][ -~]{5,70}$/)
    const text = toText(letter)
    const html = toHtml(letter)
    for (const part of letter.parts) {
      if (!('paragraph' in part)) continue
      expect(text.replaceAll('\n', ' ')).toContain(part.paragraph)
      expect(html).toContain(part.paragraph.replaceAll('&', '&amp;').replaceAll("'", '&#39;'))
      // A sentence that was put together from parameters lacks none.
      expect(part.paragraph).not.toMatch(/undefined|null|NaN|Invalid| {2}|\s[.,]/)
    }
    expect(html).not.toMatch(/<(script|img|link|iframe)|src=/i)
  })
})

describe('the mails that carry a link', () => {
  it.each([
    ['verify-email', '/v1/auth/verify-email'],
    ['reset-password', '/v1/auth/reset-password'],
    ['invitation', '/v1/invitations/accept'],
  ] as const)('%s has it on a line of its own, and says how to do without a page', (template, path) => {
    const text = toText(write(template))
    expect(text.split('\n')).toContain(examples[template].link)
    const [, url, body] = /POST (\S+)\n(?: {2}.+\n)*\n {2}(\{.+\})/.exec(text) ?? []
    expect(url).toBe(`https://memory.example/base${path}`)
    expect(JSON.parse(body as string)).toMatchObject({ token: 'secret_0-A' })
    expect(toHtml(write(template))).toContain(`href="${examples[template].link}"`)
  })

  it('tell times in words and UTC', () => {
    expect(toText(write('account-deleted'))).toContain('4 March 2026 at 05:06 UTC')
  })
})

describe('the first reset of an account whose address was not verified', () => {
  const reset = { link: link('reset-password'), ip: null }
  const textOf = (letter: Letter) => toText(letter).replaceAll('\n', ' ')

  it('is announced with what it ends, and not where the address is verified', () => {
    const text = textOf(writeLetter('reset-password', { ...reset, isVerified: false }))
    expect(text).toContain('API keys, webhooks, invitations and the other members')
    expect(text).toContain('confirm the address first')
    // Mails of the release before do not say whether it is.
    for (const isVerified of [true, undefined]) {
      expect(textOf(writeLetter('reset-password', { ...reset, isVerified }))).not.toContain('webhooks')
    }
  })

  it.each([
    [{ key: 2, webhook: 1, invitation: 1 }, 'It ended 2 API keys, 1 webhook, and 1 invitation, that'],
    [{ member: 1, invitation: 3 }, 'It ended 3 invitations and 1 membership, that'],
    [{}, 'There was nothing that was set up before'],
  ])('says that it ended %j', (ended, said) => {
    expect(textOf(writeLetter('password-changed', { at, ip: null, ended }))).toContain(said)
    expect(textOf(writeLetter('password-changed', { at, ip: null }))).not.toContain('ended 2')
  })
})

describe('what users wrote', () => {
  const evil = {
    organization: '<img src=x onerror="alert(1)">\r\nBcc: eve@example.com\r\n\r\n\u202egnp.exe',
    inviter: `Eve <b>'bold'</b>\u0000\u001b[31m & Sons${' long'.repeat(100)}`,
    role: 'member',
    link: link('invitation'),
    until: at,
  }

  it('L2 is escaped in HTML', () => {
    const html = toHtml(writeLetter('invitation', evil))
    expect(html).not.toMatch(/<img|<b>|onerror="/)
    expect(html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt; Bcc: eve@example.com gnp.exe')
    expect(html).toContain('Eve &lt;b&gt;&#39;bold&#39;&lt;/b&gt; [31m &amp; Sons')
  })

  it.each([
    "<a href='http://evil'>Click</a> http://evil.example/ verify",
    'Verify at https://evil.example',
    'www.evil.example',
    'Sign in at evil.example/verify',
    'evil.example:8080/verify',
  ])('is not said where it would be a link: %s', (organization) => {
    const letter = writeLetter('invitation', { ...evil, organization })
    expect(letter.subject).toBe('Invitation')
    expect(toText(letter)).not.toContain('evil.')
    expect(toHtml(letter)).not.toContain('evil.')
    expect(toHtml(letter)).toContain('join an organization as')
  })

  it('is said where it is a name like a domain', () => {
    const letter = writeLetter('invitation', { ...evil, organization: 'St. Nick Books.example' })
    expect(letter.subject).toBe('Invitation to St. Nick Books.example')
    expect(toHtml(letter)).toContain('the organization “St. Nick Books.example”')
  })

  it('L2 adds no header and no recipient, and stays within its sentence', async () => {
    const letter = writeLetter('invitation', evil)
    expect(letter.subject).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect(toText(letter)).not.toMatch(/^Bcc|[\p{Cf}\p{Zl}\p{Zp}]/mu)
    expect(toText(letter).length).toBeLessThan(1_200)
    const message = {
      id: 'mail-1',
      at: new Date(at),
      to: 'ada@example.com',
      subject: `x\r\nBcc: eve@example.com`,
    }
    const options = messageOptions({ ...message, text: '', html: '' }, 'Memory <memory@example.com>')
    const raw = await new MailComposer({ ...options, text: 'text', html: 'html' }).compile().build()
    const { headers, to } = parseMail(raw.toString('latin1'))
    expect(to).toBe('ada@example.com')
    expect(Object.keys(headers).sort()).toEqual(
      [
        'auto-submitted',
        'content-type',
        'date',
        'from',
        'message-id',
        'mime-version',
        'subject',
        'to',
      ].sort(),
    )
    expect(headers['message-id']).toBe('<mail-1@example.com>')
  })

  it.each([
    'ada@example.com, eve@example.com',
    'ada@example.com\r\nBcc: eve@example.com',
    '"Eve" <eve@example.com>',
  ])('L1 an address that is none (%j) never becomes several', async (to) => {
    const options = messageOptions(
      { id: 'mail-1', at: new Date(at), to, subject: 's', text: '', html: '' },
      'memory@example.com',
    )
    const composed = new MailComposer({ ...options, text: 'text', html: 'html' }).compile()
    expect(composed.getEnvelope().to.length).toBeLessThanOrEqual(1)
    expect(Object.keys(parseMail((await composed.build()).toString('latin1')).headers)).not.toContain('bcc')
  })
})
