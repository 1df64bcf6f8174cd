import { useMemo } from 'react'
import { Shown } from './stored-text.tsx'
import { wordChanges } from './word-changes.ts'

interface Props {
  old: string
  text: string
  /** What is shown: the one, the other, or both in one. */
  side?: 'old' | 'text' | 'both'
}

/** Two texts by their words, with what is in the one alone struck and what is in the other alone marked. */
export function Differences({ old, text, side = 'both' }: Props) {
  const changes = useMemo(() => wordChanges(old, text), [old, text])
  return changes.map(({ at, value, added, removed }) => {
    const shown = <Shown text={value} />
    if (added) return side === 'old' ? null : <ins key={at}>{shown}</ins>
    if (removed) return side === 'text' ? null : <del key={at}>{shown}</del>
    return <span key={at}>{shown}</span>
  })
}
