import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { asTask, type Queries } from '@memory/shared/platform/database/database'
import type { Secrets } from '@memory/shared/platform/secrets'
import { createWorkerContext, type WorkerParts } from '@memory/worker/context'
import { deliverEvents, handlers } from '@memory/worker/register'
import { sql } from 'kysely'
import { relayOnce } from './relay-once.ts'

/** A mail as its receiver reads it. */
export interface ReceivedMail {
  /** By name in lower case, decoded. */
  headers: Record<string, string>
  to: string
  subject: string
  text: string
  html: string
  /** The token that the mail's link ends in. */
  token: string | undefined
}

/** Relays the outbox as the worker does, until nothing of it is due. @returns the errors of deliveries */
export async function relayAll(parts: WorkerParts): Promise<unknown[]> {
  const context = createWorkerContext(parts)
  const deliver = deliverEvents(context)
  const errors: unknown[] = []
  const types = Object.keys(handlers)
  await hasten(context.queries)
  while ((await relayOnce(context.queries, deliver, (error) => errors.push(error), types)) > 0) {
    // Until nothing is due.
  }
  return errors
}

/** Makes events due that wait on purpose. */
async function hasten(queries: Queries): Promise<void> {
  await asTask(queries, 'relay-outbox', (trx) =>
    sql`update app.outbox set available_at = now() where type = 'account.mail_requested'`.execute(trx),
  )
}

/** Relays only the events by which accounts ask for mails, so that the mails wait in their table. */
export async function answerMailRequests({
  context,
}: {
  context: Omit<WorkerParts, 'secrets'> & { accounts: { secrets: Secrets } }
}): Promise<void> {
  const worker = createWorkerContext({ ...context, secrets: context.accounts.secrets })
  await hasten(worker.queries)
  const failed = (error: unknown) => {
    throw error
  }
  while ((await relayOnce(worker.queries, deliverEvents(worker), failed, ['account.mail_requested'])) > 0) {
    // Until none waits.
  }
}

/** The mails in a folder, newest last. */
export function readMails(folder: string): ReceivedMail[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .map((name) => parseMail(readFileSync(join(folder, name), 'latin1')))
}

/** Reads a mail with a text and an HTML part, given as one character a byte. */
export function parseMail(raw: string): ReceivedMail {
  const { headers, body } = splitHead(raw)
  const [, boundary] = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '') ?? []
  const parts = body.split(`--${boundary}`).slice(1, -1).map(readPart)
  const textOf = (type: string) => parts.find((part) => part.type.startsWith(type))?.text ?? ''
  const text = textOf('text/plain')
  return {
    headers,
    to: headers.to ?? '',
    subject: headers.subject ?? '',
    text,
    html: textOf('text/html'),
    token: /#token=([\w-]+)/.exec(text)?.[1],
  }
}

function splitHead(raw: string) {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const at = line.indexOf(':')
    headers[line.slice(0, at).toLowerCase()] = decodeWords(line.slice(at + 1).trim())
  }
  return { headers, body: raw.slice(end + 4) }
}

function readPart(raw: string) {
  const { headers, body } = splitHead(raw.replace(/^\r\n/, ''))
  const encoding = headers['content-transfer-encoding']
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : Buffer.from(encoding === 'quoted-printable' ? unquote(body) : body, 'latin1')
  return { type: headers['content-type'] ?? '', text: bytes.toString('utf8').replaceAll('\r\n', '\n') }
}

const unquote = (text: string) =>
  text
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** Encoded words of RFC 2047. */
const decodeWords = (text: string) =>
  text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString()
        : Buffer.from(unquote(word.replaceAll('_', ' ')), 'latin1').toString(),
    )
