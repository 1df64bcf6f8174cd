import { randomUUID } from 'node:crypto'
import type { MailTemplate } from '@memory/shared/mail/catalogue'
import { asTask, asTenant } from '@memory/shared/platform/database/database'
import { expectConforming } from './conforms.ts'
import { answerMailRequests } from './mails.ts'
import { type Answer, Requests, send } from './requests.ts'
import type { TestServer } from './server.ts'

export interface UserOptions {
  email?: string
  password?: string
  fullName?: string
  organizationName?: string
  /** The `User-Agent` of the registration. */
  userAgent?: string
  platformAdmin?: boolean
}

/** Sends requests without credentials; each answer must be one that its operation documents. */
export class Anonymous extends Requests {
  readonly url: string

  constructor(url: string) {
    super()
    this.url = url
  }

  async request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const answer = await send(this.url + path, method, { ...this.credentials(), ...headers }, body)
    expectConforming(method, path, answer)
    return answer
  }

  protected credentials(): Record<string, string> {
    return {}
  }
}

interface SignedIn {
  userId: string
  organizationId: string
  email: string
  password: string
  accessToken: string
  refreshToken: string
}

/** Sends requests as a user, by the access token of one session. */
export class User extends Anonymous implements SignedIn {
  readonly userId: string
  readonly organizationId: string
  readonly email: string
  readonly password: string
  readonly accessToken: string
  readonly refreshToken: string

  constructor(url: string, signedIn: SignedIn) {
    super(url)
    this.userId = signedIn.userId
    this.organizationId = signedIn.organizationId
    this.email = signedIn.email
    this.password = signedIn.password
    this.accessToken = signedIn.accessToken
    this.refreshToken = signedIn.refreshToken
  }

  get sessionId(): string {
    const [, claims = ''] = this.accessToken.split('.')
    return JSON.parse(Buffer.from(claims, 'base64url').toString()).sid
  }

  /** The same user with the tokens of another session, or with another password. */
  with(changed: Partial<Pick<SignedIn, 'accessToken' | 'refreshToken' | 'password'>>): User {
    return new User(this.url, { ...this, ...changed })
  }

  /** Signs in once more: the same user with a session of its own. */
  async signInAgain(headers?: Record<string, string>): Promise<User> {
    const { email, password } = this
    const { status, body } = await new Anonymous(this.url).post(
      '/v1/auth/login',
      { email, password },
      headers,
    )
    if (status !== 200) throw new Error(`login answered ${status}: ${JSON.stringify(body)}`)
    return this.with({ accessToken: body.access_token, refreshToken: body.refresh_token })
  }

  protected override credentials(): Record<string, string> {
    return { Authorization: `Bearer ${this.accessToken}` }
  }
}

/** An address that no other user has. */
export const newEmail = (): string => `${randomUUID()}@example.com`

/** Registers a user, who owns an organization of its own. */
export async function newUser(server: TestServer, options: UserOptions = {}): Promise<User> {
  const { email = newEmail(), password = `a password ${randomUUID()}` } = options
  const { status, body } = await new Anonymous(server.url).post(
    '/v1/auth/register',
    {
      email,
      password,
      full_name: options.fullName,
      organization_name: options.organizationName,
    },
    options.userAgent === undefined ? {} : { 'User-Agent': options.userAgent },
  )
  if (status !== 201) throw new Error(`register answered ${status}: ${JSON.stringify(body)}`)
  if (options.platformAdmin) await makePlatformAdmin(server, body.user_id)
  return new User(server.url, {
    userId: body.user_id,
    organizationId: body.organization_id,
    email: body.email,
    password,
    accessToken: body.access_token,
    refreshToken: body.refresh_token,
  })
}

async function makePlatformAdmin(server: TestServer, userId: string): Promise<void> {
  await asTask(server.context.database.queries, 'administer-accounts', (trx) =>
    trx
      .withSchema('app')
      .updateTable('users')
      .set({ is_platform_admin: true, email_verified_at: new Date() })
      .where('id', '=', userId)
      .execute(),
  )
}

/** A mail that waits to be sent. */
export interface QueuedMail {
  template: MailTemplate
  recipient: string
  /** The values of its template. */
  parameters: Record<string, string | null>
}

/** The mails that wait for a user, oldest first. */
export async function queuedMails(server: TestServer, userId: string): Promise<QueuedMail[]> {
  const { database, accounts } = server.context
  await answerMailRequests(server)
  const rows = await asTenant(database.queries, { userId }, (trx) =>
    trx
      .withSchema('app')
      .selectFrom('mails')
      .select(['id', 'template', 'recipient', 'parameters'])
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .execute(),
  )
  return rows.map(({ id, template, recipient, parameters }) => ({
    template: template as MailTemplate,
    recipient,
    parameters: JSON.parse(
      new TextDecoder().decode(accounts.secrets.open(parameters, { purpose: 'mail', id })),
    ),
  }))
}

/** The token in the newest mail of a kind to a user. */
export async function mailedToken(
  server: TestServer,
  userId: string,
  template: 'verify-email' | 'reset-password',
): Promise<string> {
  const mail = (await queuedMails(server, userId)).findLast((each) => each.template === template)
  const [, token] = /#token=(.+)$/.exec(mail?.parameters.link ?? '') ?? []
  if (token === undefined) throw new Error(`No ${template} mail waits for ${userId}.`)
  return token
}

/** What the audit log holds of a user, oldest first. */
export function auditOf(server: TestServer, userId: string) {
  return asTenant(server.context.database.queries, { userId }, (trx) =>
    trx
      .withSchema('app')
      .selectFrom('audit_log')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute(),
  )
}
