import { createHmac } from 'node:crypto'
import { Anonymous, type User } from '../support/accounts.ts'
import type { Answer } from '../support/requests.ts'
import type { TestClock } from '../support/server.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 Base32. */
export function fromBase32(text: string): Buffer {
  let bits = ''
  for (const letter of text) bits += alphabet.indexOf(letter).toString(2).padStart(5, '0')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** RFC 6238's code of a time step, worked out apart from the service. */
export function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** An authenticator app that shares the service's clock. */
export class Authenticator {
  readonly secret: string
  readonly #clock: TestClock

  constructor(secret: string, clock: TestClock) {
    this.secret = secret
    this.#clock = clock
  }

  get step(): number {
    return Math.floor(this.#clock.now().getTime() / 30_000)
  }

  /** @param steps away from now */
  code(steps = 0): string {
    return codeOf(this.secret, this.step + steps)
  }

  /** Moves to the beginning of the next step. @returns its code */
  nextCode(): string {
    this.#clock.advance(30_000 - (this.#clock.now().getTime() % 30_000))
    return this.code()
  }

  /** Six digits that are no code of this time. */
  wrongCode(): string {
    const near = [-2, -1, 0, 1, 2].map((steps) => this.code(steps))
    for (let guess = 0; ; guess++) {
      const code = String(guess).padStart(6, '0')
      if (!near.includes(code)) return code
    }
  }
}

export interface Enrolled {
  app: Authenticator
  recoveryCodes: string[]
}

/** Turns MFA on. */
export async function enrol(user: User, clock: TestClock): Promise<Enrolled> {
  const { secret } = expectOk(await user.post('/v1/auth/mfa/setup'))
  const app = new Authenticator(secret, clock)
  const { recovery_codes } = expectOk(await user.post('/v1/auth/mfa/verify', { code: app.nextCode() }))
  return { app, recoveryCodes: recovery_codes }
}

/** Signs in with the password alone. @returns the challenge's token */
export async function challenge({ url, email, password }: User): Promise<string> {
  const body = expectOk(await new Anonymous(url).post('/v1/auth/login', { email, password }))
  if (!body.mfa_required) throw new Error('The login asked for no code.')
  return body.mfa_token
}

function expectOk({ status, body }: Answer) {
  if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body)}`)
  return body
}
