import { Fragment } from 'react'

/** Characters that show nothing, and turn or hide what is around them: marks of direction, joiners, controls. */
const unseen = /([\p{Cc}\p{Cf}\u2028\u2029])/u
/** Those that stand for what they do, or that writing needs. */
const plain = /^[\n\t\u200c\u200d]$/

const nameOf = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** A piece of a text in which nothing is unseen. Its lines may end as those of Windows do, which hides nothing. */
export function Shown({ text }: { text: string }) {
  const parts: { at: number; part: string }[] = []
  let at = 0
  for (const part of text.replaceAll('\r\n', '\n').split(unseen)) {
    parts.push({ at, part })
    at += part.length
  }
  return parts.map(({ at, part }) =>
    unseen.test(part) && part.length <= 2 && !plain.test(part) ? (
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
