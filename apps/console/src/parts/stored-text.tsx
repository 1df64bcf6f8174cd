import { Fragment } from 'react'
import { unseen } from './unseen.ts'

/** Those of the unseen that stand for what they do, or that writing needs. */
const plain = /^[\n\t\u200c\u200d]$/

const nameOf = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** A piece of a text in which nothing is unseen. Its lines may end as those of Windows do, which hides nothing. */
export function Shown({ text }: { text: string }) {
  const parts: { at: number; part: string; isUnseen: boolean }[] = []
  let at = 0
  for (const part of text.replaceAll('\r\n', '\n').split(unseen)) {
    // Between two pieces is always what parts them.
    parts.push({ at, part, isUnseen: parts.length % 2 === 1 })
    at += part.length
  }
  return parts.map(({ at, part, isUnseen }) =>
    isUnseen && !plain.test(part) ? (
      <span key={at} className="unseen">
        {nameOf(part)}
      </span>
    ) : (
      <Fragment key={at}>{part}</Fragment>
    ),
  )
}

/** A text that somebody stored: always text, in its own direction, with what it hides by its name. */
export function StoredText({ text, isClamped = false }: { text: string; isClamped?: boolean }) {
  return (
    <div dir="auto" className={isClamped ? 'stored clamped' : 'stored'}>
      <Shown text={text} />
    </div>
  )
}
