import { diffWordsWithSpace } from 'diff'
import { useMemo } from 'react'
import { Shown } from './stored-text.tsx'

interface Props {
  old: string
  text: string
  /** What is shown: the one, the other, or both in one. */
  side?: 'old' | 'text' | 'both'
}

/** Two texts by their words, with what is in the one alone struck and what is in the other alone marked. */
export function Differences({ old, text, side = 'both' }: Props) {
  const changes = useMemo(() => numbered(old, text), [old, text])
  return changes.map(({ at, value, added, removed }) => {
    const shown = <Shown text={value} />
    if (added) return side === 'old' ? null : <ins key={at}>{shown}</ins>
    if (removed) return side === 'text' ? null : <del key={at}>{shown}</del>
    return <span key={at}>{shown}</span>
  })
}

/** What was added, what removed, and what stayed, each with where it begins. */
function numbered(old: string, text: string) {
  let at = 0
  return diffWordsWithSpace(old, text).map(({ value, added, removed }) => {
    const change = { at, value, added, removed }
    at += value.length
    return change
  })
}
