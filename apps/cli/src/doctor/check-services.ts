import { SmtpMailer } from '@memory/shared/mail/smtp-mailer'
import type { Check } from '@memory/shared/ops/check'
import type { Config } from '@memory/shared/platform/config'
import { inspectRedis, isTooOld, redisLeast } from '@memory/shared/platform/queue/redis-backend'

/** Whether the Redis of the job queue answers, is new enough and evicts no jobs. */
export async function checkRedis(url: string | undefined): Promise<Check> {
  const name = 'redis'
  if (url === undefined) return { name, state: 'ok', text: 'None is set: jobs are kept in the database.' }
  try {
    const { version, policy } = await inspectRedis(url)
    if (isTooOld(version)) {
      const text = `Redis ${version} is too old.`
      return { name, state: 'fail', text, remedy: `Install Redis ${redisLeast.join('.')} or later.` }
    }
    if (policy !== 'noeviction') {
      return {
        name,
        state: 'warn',
        text: `Redis ${version} forgets jobs when its memory is full (${policy}).`,
        remedy: 'Set maxmemory-policy noeviction in its configuration.',
      }
    }
    return { name, state: 'ok', text: `Redis ${version} answers.` }
  } catch (error) {
    return {
      name,
      state: 'fail',
      text: `Redis can't be used: ${(error as Error).message}.`,
      remedy:
        'Start it, or put REDIS_URL with its password right; requests are answered meanwhile, and jobs wait.',
    }
  }
}

/** Whether the mail server accepts the credentials; no mail is sent. */
export async function checkMail({ mail, http }: Config): Promise<Check> {
  const name = 'mail'
  if (mail.smtpUrl === undefined) {
    const text = 'No mail server is set: each mail is a file in MEMORY_DATA_DIR/outbox.'
    const isPublic = http.publicBaseUrl?.startsWith('https:') ?? false
    if (!isPublic) return { name, state: 'ok', text }
    const remedy = 'Set SMTP_URL and MAIL_FROM: else nobody gets the mail that resets a password.'
    return { name, state: 'warn', text, remedy }
  }
  try {
    await new SmtpMailer(mail.smtpUrl, mail.from).verify()
    return { name, state: 'ok', text: 'The mail server answers and takes the sign-in.' }
  } catch (error) {
    const remedy = 'Put address, user and password in SMTP_URL right, or start the server.'
    return { name, state: 'fail', text: (error as Error).message, remedy }
  }
}
