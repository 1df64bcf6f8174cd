import { useEffect, useRef, useState } from 'react'
import { session } from '../session/session.ts'
import { ifKept } from './if-kept.ts'

// What somebody had typed when their session was ended elsewhere, until they have signed in again: in this tab, and under
// the name of their account, so that nobody else who signs in here is shown it.

const prefix = 'memory-draft'
const nameOf = (what: string) => `${prefix} ${session.user} ${what}`

/** Whoever does not come back within an hour leaves nothing of what they had before them. */
const keptMs = 3_600_000

interface Kept<Draft> {
  at: number
  draft: Draft
}

function read<Draft>(name: string): Kept<Draft> | undefined {
  return ifKept(() => JSON.parse(sessionStorage.getItem(name) ?? '') as Kept<Draft>)
}

function find<Draft>(name: string): Draft | undefined {
  dropOld()
  return read<Draft>(name)?.draft
}

/** Drops what was kept too long ago, whoever's it is. */
function dropOld(): void {
  ifKept(() => {
    for (const name of Object.keys(sessionStorage)) {
      const at = name.startsWith(prefix) ? (read(name)?.at ?? 0) : Number.POSITIVE_INFINITY
      if (at < Date.now() - keptMs) sessionStorage.removeItem(name)
    }
  })
}

/** @param draft undefined: none any more */
function keep(name: string, draft?: object): void {
  ifKept(() => {
    if (draft === undefined) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, JSON.stringify({ at: Date.now(), draft }))
  })
}

export const hasDraft = (what: string): boolean => find(nameOf(what)) !== undefined

/** The state of a form, which outlives the end of the session, and nothing else. @param what names the form */
export function useDraft<Draft extends object>(what: string, begin: Draft) {
  // As long as the form is there it is of who opened it: once the session is over, its user is not known any more.
  const [name] = useState(() => nameOf(what))
  const [draft, setDraft] = useState(() => find<Draft>(name) ?? begin)
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  }, [draft])
  // The form holds it from now on: the next one of this name begins anew.
  useEffect(() => keep(name), [name])
  useEffect(
    () => () => {
      keep(name, session.ended === 'elsewhere' ? latest.current : undefined)
    },
    [name],
  )
  return [draft, setDraft] as const
}
