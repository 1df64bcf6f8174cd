import { Agent, request } from 'node:http'

// A client in a process of its own, so that no event loop but the service's own orders what arrives: it sends the same
// refresh token to several addresses together, round after round, and then presents spent ones.
// Arguments: the addresses with commas, an email, its password, rounds. Prints what it saw as JSON.

const [, , addresses = '', email, password, rounds] = process.argv
const urls = addresses.split(',')
const agent = new Agent({ keepAlive: true, maxSockets: 100 })

interface Answer {
  status: number
  /** From the request to the answer. */
  tookMs: number
  body: { refresh_token: string; access_token: string; detail: unknown }
}

function post(url: string, path: string, body: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const beganMs = performance.now()
    const sent = request(
      url + path,
      { agent, method: 'POST', headers: { 'Content-Type': 'application/json' } },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (piece: string) => {
          text += piece
        })
        answer.on('end', () => {
          const tookMs = performance.now() - beganMs
          resolve({ status: answer.statusCode ?? 0, tookMs, body: JSON.parse(text) })
        })
      },
    )
    sent.on('error', reject)
    sent.end(JSON.stringify(body))
  })
}

const at = (n: number) => urls[n % urls.length] as string
const refresh = (n: number, refresh_token: string) => post(at(n), '/v1/auth/refresh', { refresh_token })
const login = async () => (await post(at(0), '/v1/auth/login', { email, password })).body.refresh_token

/** The answers of each round, the one with tokens first. */
const together: Pick<Answer, 'status' | 'tookMs'>[][] = []
let token = await login()
for (let round = 0; round < Number(rounds); round++) {
  const count = 2 + (round % 3)
  const answers = await Promise.all(Array.from({ length: count }, (_, n) => refresh(round + n, token)))
  const seen = answers.map(({ status, tookMs }) => ({ status, tookMs }))
  together.push(seen.sort((one, other) => one.status - other.status))
  // A session that has ended begins anew, so that each round counts for itself.
  const hasEnded = answers.some(({ status }) => status === 401)
  const next = answers.find(({ status }) => status === 200)?.body.refresh_token
  token = hasEnded || next === undefined ? await login() : next
}

/** Of each reuse its status, and that of the token which followed. */
const reused: number[][] = []
for (let round = 0; round < Number(rounds); round++) {
  const spent = await login()
  const next = (await refresh(round, spent)).body.refresh_token
  const answers = await Promise.all([refresh(round + 1, spent), refresh(round + 2, spent)])
  reused.push([...answers.map(({ status }) => status), (await refresh(round, next)).status])
}
console.log(JSON.stringify({ together, reused }))
process.exit()
