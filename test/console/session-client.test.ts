import { errorDetails } from 'memory-service-sdk'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const address = 'http://127.0.0.1:8000'

/** What the service was asked, in order: the path, and whose token came along. */
let asked: [path: string, of: string | undefined][]
let answers: Record<string, () => Response | Promise<Response>>

let tokens = 0
const tokenOf = (user: string) => `e30.${btoa(JSON.stringify({ sub: user, n: ++tokens }))}.signature`
const ofToken = (header: string | null) =>
  header === null ? undefined : (JSON.parse(atob(header.split('.')[1] ?? '')).sub as string)
const signedIn = (user: string) => () => Response.json({ access_token: tokenOf(user) })
const refused = (code: 'token_expired' | 'token_revoked' | 'invalid_token') => () =>
  Response.json({ detail: errorDetails[code] }, { status: 401 })

beforeEach(() => {
  asked = []
  answers = { logout: () => Response.json({}) }
  const cookie = 'memory-csrf-8000=a-token'
  vi.stubGlobal('document', { baseURI: `${address}/console/`, querySelector: () => null, cookie })
  vi.stubGlobal('location', new URL(`${address}/console/`))
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      postMessage() {}
    },
  )
  vi.stubGlobal('fetch', async (url: string, { headers }: RequestInit) => {
    const { pathname } = new URL(url)
    asked.push([pathname, ofToken(new Headers(headers).get('Authorization'))])
    const answer = answers[pathname.split('/').at(-1) as string]
    if (answer === undefined) throw new Error(`Nobody answers ${pathname}`)
    return answer()
  })
})
afterEach(() => void vi.unstubAllGlobals())

/** A page in which somebody has signed in. */
async function pageOf(user: string) {
  const [{ anonymous, clientOf }, sessions, { queryClient }] = await Promise.all([
    import('../../apps/console/src/session/client.ts'),
    import('../../apps/console/src/session/session.ts'),
    import('../../apps/console/src/queries.ts'),
  ])
  const signIn = async (user: string) => {
    answers.login = signedIn(user)
    await sessions.signIn(`${user}@example.com`, 'a password')
  }
  await signIn(user)
  /** As a button does it. */
  const act = (mutationFn: () => Promise<unknown>) =>
    queryClient.getMutationCache().build(queryClient, { mutationFn }).execute(undefined)
  return { ...sessions, anonymous, clientOf, signIn, act }
}

const stores = () => asked.filter(([path]) => path.endsWith('/store'))

it('goes on with a new token of the same user', async () => {
  const { clientOf, session } = await pageOf('ann')
  const before = session.accessToken
  answers.store = () => (stores().length === 1 ? refused('token_expired')() : Response.json({}))
  answers.refresh = signedIn('ann')
  await clientOf({}).text.store({ text: 'Ann’s.' })
  expect(stores()).toEqual(Array(2).fill(['/v1/memory/text/store', 'ann']))
  expect(session.user).toBe('ann')
  expect(session.accessToken).not.toBe(before)
})

it('does nothing as the next user that one has begun before', async () => {
  const { clientOf, signIn, signOut } = await pageOf('ann')
  const held = Promise.withResolvers<Response>()
  answers.store = () => (stores().length === 1 ? held.promise : Response.json({}))
  answers.refresh = signedIn('bob')
  const storing = clientOf({}).text.store({ text: 'Ann’s.' })
  await vi.waitFor(() => expect(stores()).toHaveLength(1))
  await signOut()
  await signIn('bob')
  held.resolve(refused('token_expired')())
  await expect(storing).rejects.toThrow(errorDetails.token_expired)
  expect(stores()).toEqual([['/v1/memory/text/store', 'ann']])
})

it('does nothing as another whose token comes while one signs out', async () => {
  const { clientOf, signOut } = await pageOf('ann')
  const held = Promise.withResolvers<Response>()
  answers.store = () => (stores().length === 1 ? refused('token_expired')() : Response.json({}))
  answers.refresh = () => held.promise
  const storing = clientOf({}).text.store({ text: 'Ann’s.' })
  await vi.waitFor(() => expect(asked.at(-1)?.[0]).toBe('/console/session/refresh'))
  await signOut()
  held.resolve(signedIn('bob')())
  await expect(storing).rejects.toThrow(errorDetails.token_expired)
  expect(stores()).toHaveLength(1)
})

it('ends where the service refuses its token, as a button or a page shows by which it was asked', async () => {
  const { act, clientOf, session } = await pageOf('ann')
  answers.store = refused('token_revoked')
  await expect(act(() => clientOf({}).text.store({ text: 'Ann’s.' }))).rejects.toThrow('Token revoked')
  expect(session).toMatchObject({ user: undefined, ended: 'elsewhere' })
})

it('goes on where a link of a mail is over, or the code of a sign-in', async () => {
  const { act, anonymous, passSecondFactor, session } = await pageOf('ann')
  for (const name of ['verify-email', 'reset-password', 'mfa']) answers[name] = refused('invalid_token')
  const { verifyEmail, resetPassword } = anonymous.auth
  for (const doing of [
    () => verifyEmail({ token: 'used' }),
    () => resetPassword({ token: 'used', new_password: 'an analytical engine' }),
    () => passSecondFactor('of yesterday', '123456'),
  ]) {
    await expect(act(doing)).rejects.toThrow('Invalid token')
    expect(session.user).toBe('ann')
  }
})

it.each(['token_expired', 'token_revoked'] as const)(
  'of the next user goes on where one of before is told %s',
  async (code) => {
    const { act, clientOf, session, signIn, signOut } = await pageOf('ann')
    const held = Promise.withResolvers<Response>()
    answers.store = () => held.promise
    const storing = act(() => clientOf({}).text.store({ text: 'Ann’s.' }))
    await vi.waitFor(() => expect(stores()).toHaveLength(1))
    await signOut()
    await signIn('bob')
    held.resolve(refused(code)())
    await expect(storing).rejects.toThrow(errorDetails[code])
    expect(session.user).toBe('bob')
  },
)
