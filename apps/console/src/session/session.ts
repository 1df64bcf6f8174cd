import { AuthenticationError } from 'memory-service-sdk'
import { csrfToken, postSession, type SignedIn } from './post.ts'

// The access token is in the memory of the page alone. The refresh token is in a cookie that no script can read, and that
// the tabs of a browser share: they tell each other who signs in and out.

/** Why nobody is signed in any more. */
export type Ended = 'signed-out' | 'elsewhere'

type State = { accessToken: string } | { accessToken: undefined; ended?: Ended }

/** What one tab tells the others. */
type News = { accessToken: string } | { ended: Ended }

let localKey: LocalKey | undefined
let state: State = { accessToken: undefined }
const listeners = new Set<() => void>()
const tabs = new BroadcastChannel('memory-session')

function set(next: State): void {
  state = next
  if (next.accessToken === undefined) localKey = undefined
  for (const listener of listeners) listener()
}

function tell(news: News): void {
  set('ended' in news ? { accessToken: undefined, ended: news.ended } : news)
  tabs.postMessage(news)
}

tabs.onmessage = ({ data }: MessageEvent<News>) => {
  // A tab in which nobody has signed in yet goes on by itself.
  if ('ended' in data) {
    // Nobody was asked here what of this page is to be kept, whoever ended it, and why.
    if (state.accessToken !== undefined) set({ accessToken: undefined, ended: 'elsewhere' })
  } else if (isOfAnother(data.accessToken)) leaveToOther()
  else set(data)
}

/** Whose a token is. */
function userOf(accessToken: string): string | undefined {
  const claims = accessToken.split('.')[1] ?? ''
  return (JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as { sub?: string }).sub
}

/** Whether a token is of somebody else than who is signed in in this tab, whose page must not act as the other. */
const isOfAnother = (accessToken: string): boolean =>
  session.user !== undefined && session.user !== userOf(accessToken)

/** Loads the page anew as the other's. Nobody is asked whether to stay: this page can't act as who it was of any more. */
function leaveToOther(): void {
  state = { accessToken: undefined, ended: 'elsewhere' }
  location.reload()
}

export const session = {
  get accessToken(): string | undefined {
    return state.accessToken
  },
  /** The id of who is signed in. */
  get user(): string | undefined {
    return state.accessToken === undefined ? undefined : userOf(state.accessToken)
  },
  get ended(): Ended | undefined {
    return 'ended' in state ? state.ended : undefined
  },
  /** What a local start has told its operator, until the page is left or loaded again. */
  get localKey(): LocalKey | undefined {
    return localKey
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}

let renewing: Promise<string | undefined> | undefined

/**
 * Gets a new access token by the cookie, once however many ask for it.
 * @returns undefined where nobody is signed in
 * @throws what asking throws, except that the session is over
 */
function renew(): Promise<string | undefined> {
  renewing ??= refresh().finally(() => {
    renewing = undefined
  })
  return renewing
}

/**
 * Gets a new access token for what a user has begun, unless somebody else has signed in since: nothing that one has begun is
 * done as the other.
 */
export async function renewOf(user: string | undefined): Promise<string | undefined> {
  const isThere = () => user !== undefined && session.user === user
  const accessToken = isThere() ? await renew() : undefined
  return isThere() ? accessToken : undefined
}

async function refresh(): Promise<string | undefined> {
  if (csrfToken() === undefined) {
    if (state.accessToken !== undefined) tell({ ended: 'elsewhere' })
    return undefined
  }
  try {
    const { access_token: accessToken } = await postSession<SignedIn>('refresh')
    if (accessToken === null) return undefined
    if (isOfAnother(accessToken)) {
      leaveToOther()
      // Nothing that this page was about to do is done as the other.
      return await new Promise<never>(() => {})
    }
    set({ accessToken })
    return accessToken
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error
    tell({ ended: 'elsewhere' })
    return undefined
  }
}

/** The service says that the session is over, wherever it was ended. */
export function endSession(): void {
  if (state.accessToken !== undefined) tell({ ended: 'elsewhere' })
}

let began: Promise<void> | undefined

/** Goes on with the session that the browser has, once. @throws what asking for it throws, and then tries again later */
export async function beginSession(): Promise<void> {
  if (state.accessToken !== undefined) return
  began ??= renew().then(
    () => {},
    (error) => {
      began = undefined
      throw error
    },
  )
  await began
}

/** @returns the token for the second factor, where one is missing */
export async function signIn(email: string, password: string): Promise<string | undefined> {
  return adopt(await postSession<SignedIn>('login', { body: { email, password } }))
}

export async function passSecondFactor(token: string, code: string): Promise<void> {
  adopt(await postSession<SignedIn>('mfa', { body: { token, code } }))
}

export interface Registration {
  email: string
  password: string
  full_name: string | null
  organization_name: string | null
}

export async function signUp(registration: Registration): Promise<void> {
  adopt(await postSession<SignedIn>('register', { body: registration }))
}

/** What a local start tells its operator beside signing in. */
export interface LocalKey {
  key: string
  file: string
  /** Whose key it is. */
  organization_id: string
}

export async function signInByLink(token: string): Promise<void> {
  const answer = await postSession<SignedIn & { local_key: LocalKey | null }>('link', { body: { token } })
  localKey = answer.local_key ?? undefined
  adopt(answer)
}

function adopt({ access_token: accessToken, mfa_token: mfaToken }: SignedIn): string | undefined {
  if (accessToken !== null) tell({ accessToken })
  return mfaToken
}

/** Ends this session, or all of the user's. */
export async function signOut(everywhere = false): Promise<void> {
  const name = everywhere ? 'logout-all' : 'logout'
  try {
    await postSession(name, { accessToken: state.accessToken })
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error
    // The access token had expired, or the session was over.
    const accessToken = await renew()
    if (accessToken !== undefined) await postSession(name, { accessToken })
  }
  tell({ ended: 'signed-out' })
}
