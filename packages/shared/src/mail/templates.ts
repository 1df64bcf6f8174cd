import type { EndedWithReset, MailParameters, MailTemplate } from './catalogue.ts'
import type { Letter, Part } from './letter.ts'

/** Writes the letter of a template. */
export function writeLetter<Template extends MailTemplate>(
  template: Template,
  parameters: MailParameters[Template],
): Letter {
  return templates[template](parameters)
}

export const isTemplate = (name: string): name is MailTemplate => Object.hasOwn(templates, name)

const templates: { [Template in MailTemplate]: (parameters: MailParameters[Template]) => Letter } = {
  'verify-email': ({ link }) => ({
    subject: 'Verify your email address',
    parts: [
      p('Welcome. Please confirm that this email address is yours by opening this link within 24 hours:'),
      { link, label: 'Verify this email address' },
      p('You can also verify it through the API, with the token that the link ends in:'),
      callWith(link, '/v1/auth/verify-email', {}),
      p(
        'If you did not create an account, do not open the link: it would confirm the account of somebody else, who knows its password. To have the account yourself, ask for a new password instead: that ends everything that was set up under your address.',
      ),
    ],
  }),
  'reset-password': ({ link, ip, isVerified = true }) => ({
    subject: 'Reset your password',
    parts: [
      p(`Somebody${from(ip)} asked to reset the password of your account. If it was you, open this link:`),
      { link, label: 'Choose a new password' },
      p('You can also set a new password through the API, with the token that the link ends in:'),
      callWith(link, '/v1/auth/reset-password', { new_password: '…' }),
      p('The link works once, within one hour. A new password ends every session of your account.'),
      ...(isVerified ? [] : unprovenBefore),
      p('If it was not you, ignore this mail: your password stays as it is.'),
    ],
  }),
  'password-changed': ({ at, ip, ended }) => ({
    subject: 'Your password was changed',
    parts: [
      p(`The password of your account was changed on ${time(at)}${from(ip)}.`),
      p('All other sessions have ended; sign in again where you need to.'),
      ...(ended === undefined ? [] : endedWith(ended)),
      p('If it was not you, reset your password now and check who has access to your mailbox.'),
    ],
  }),
  'refresh-token-reuse': ({ at, ip, device }) => ({
    subject: 'A session of yours was ended',
    parts: [
      p(
        `On ${time(at)}${from(ip)}, a refresh token that had been used before was used again. The session it belonged to (${oneLine(device)}) was ended, because the token may have been copied.`,
      ),
      p('Sign in again to go on. If you do not know why this happened, change your password.'),
    ],
  }),
  'mfa-enabled': ({ at, ip }) => ({
    subject: 'Two-factor authentication was turned on',
    parts: [
      p(`Two-factor authentication was turned on for your account on ${time(at)}${from(ip)}.`),
      p(
        'All other sessions have ended. From now on, signing in takes a code from your authenticator app or one of your recovery codes.',
      ),
      p('If it was not you, reset your password and contact whoever runs this service.'),
    ],
  }),
  'mfa-disabled': ({ at, ip }) => ({
    subject: 'Two-factor authentication was turned off',
    parts: [
      p(`Two-factor authentication was turned off for your account on ${time(at)}${from(ip)}.`),
      p('If it was not you, change your password now and turn it on again.'),
    ],
  }),
  invitation: ({ organization, inviter, role, link, until }) => ({
    subject: looksLikeLink(organization) ? 'Invitation' : `Invitation to ${oneLine(organization)}`,
    parts: [
      p(
        `${oneLine(inviter)} invites you to join ${looksLikeLink(organization) ? 'an organization' : `the organization “${oneLine(organization)}”`} as ${article(role)} ${oneLine(role)}. Open this link to accept:`,
      ),
      { link, label: 'Accept the invitation' },
      p(
        'You can also accept it through the API, with the access token of an account that has this email address and the token that the link ends in:',
      ),
      callWith(link, '/v1/invitations/accept', {}, 'Authorization: Bearer <access token>'),
      p(
        `The invitation holds until ${time(until)}. If you did not expect it, ignore this mail: nothing happens.`,
      ),
    ],
  }),
  'account-deleted': ({ userId, until }) => ({
    subject: 'Your account is scheduled for deletion',
    parts: [
      p('Your account was deleted. Its sessions have ended, and its API keys no longer work.'),
      p(
        `Until ${time(until)}, whoever runs this service can restore it for you. After that, your account and the memory of the organizations that only you belonged to are erased for good.`,
      ),
      p(`To restore it they need your user id, which is ${userId}.`),
      p('If it was not you who deleted it, contact them now.'),
    ],
  }),
  'webhook-disabled': ({ host, webhookId, reason, at }) => ({
    subject: 'A webhook was disabled',
    parts: [
      p(
        `The webhook ${webhookId} of your organization, which leads to ${oneLine(host)}, was disabled on ${time(at)}, because ${
          reason === 'gone'
            ? 'it answered that it is gone for good (410)'
            : 'an event could not be delivered in ten attempts'
        }.`,
      ),
      p('Events are no longer sent to it. When it works again, enable it:'),
      {
        request: `PATCH /v1/webhooks/${webhookId}\nAuthorization: Bearer <access token>\nContent-Type: application/json\n\n{"status":"active"}`,
      },
    ],
  }),
  'export-ready': ({ link, until }) => ({
    subject: 'Your data export is ready',
    parts: [
      p('The export of your data, a ZIP archive, is ready. Fetch it with the access token of your account:'),
      { request: `GET ${link}\nAuthorization: Bearer <access token>` },
      p(`It is kept until ${time(until)}. Only you can fetch it.`),
      p('If you did not ask for an export, change your password.'),
    ],
  }),
  'export-failed': ({ isTooLarge }) => ({
    subject: 'Your data export failed',
    parts: [
      p(
        isTooLarge
          ? 'The export of your data could not be built: a ZIP archive cannot hold that much. The memories of a space can be exported without a limit by an API key of it.'
          : 'The export of your data could not be built, although it was tried again and again. Ask for another one; if that fails too, contact whoever runs this service.',
      ),
      p('If you did not ask for an export, change your password.'),
    ],
  }),
}

const p = (paragraph: string): Part => ({ paragraph })

/** What a reset does beyond the password while nobody has shown the address to be theirs. */
const unprovenBefore = [
  p(
    'Nobody has confirmed yet that this email address is theirs, so the account may have been set up by somebody else. A new password confirms it, and ends whatever was set up before: API keys, webhooks, invitations and the other members of the organization. What is stored stays, and so does two-factor authentication.',
  ),
  p(
    'If you set the account up yourself and want to keep all that, confirm the address first, by the link that came when you registered or another one that you ask for.',
  ),
]

function endedWith(ended: EndedWithReset): Part[] {
  const counts = (Object.keys(endedThings) as (keyof EndedWithReset)[]).flatMap((kind) => {
    const count = ended[kind] ?? 0
    return count === 0 ? [] : [endedThings[kind](count)]
  })
  const what = counts.length === 0 ? 'There was nothing' : `It ended ${list.format(counts)},`
  return [
    p(
      `Your email address is confirmed by this. ${what} that was set up before, when nobody had shown the address to be theirs. What was stored is still there: look through it if the account was not set up by you.`,
    ),
  ]
}

const list = new Intl.ListFormat('en')
const counted = (one: string, more: string) => (count: number) => `${count} ${count === 1 ? one : more}`

const endedThings: { [Kind in keyof Required<EndedWithReset>]: (count: number) => string } = {
  key: counted('API key', 'API keys'),
  webhook: counted('webhook', 'webhooks'),
  invitation: counted('invitation', 'invitations'),
  member: counted('membership', 'memberships'),
}

/** The HTTP request that does the same as a link's page, with the token at the end of the link. */
function callWith(link: string, path: string, body: Record<string, string>, header?: string): Part {
  const hash = link.indexOf('#')
  const base = link.slice(0, link.lastIndexOf('/', hash))
  const token = new URLSearchParams(link.slice(hash + 1)).get('token')
  const lines = [
    `POST ${base}${path}`,
    ...(header === undefined ? [] : [header]),
    'Content-Type: application/json',
    '',
    JSON.stringify({ token, ...body }),
  ]
  return { request: lines.join('\n') }
}

const article = (role: string) => (/^[aeiou]/.test(role) ? 'an' : 'a')

const from = (ip: string | null) => (ip === null ? '' : ` from the address ${oneLine(ip)}`)

const times = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** Formats an ISO 8601 time for people. */
const time = (iso: string) => `${times.format(new Date(iso))} UTC`

/**
 * Whether mail programs may turn a name, or a part of it, into a link. Such a name is left out, so that nobody can send links to
 * strangers by the service's mails. A domain alone is allowed, since an organization may be called so.
 */
const looksLikeLink = (name: string) => /:\/\/|\bwww\.|\.\p{L}{2,}(?::\d+)?\//iu.test(name)

const textMax = 120

/**
 * A user's text for use in a sentence or a header: on one line, without characters that end lines or change the direction of
 * text, and shortened.
 */
function oneLine(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}]+/gu, ' ').trim()
  const characters = [...line]
  return characters.length > textMax ? `${characters.slice(0, textMax - 1).join('')}…` : line
}
