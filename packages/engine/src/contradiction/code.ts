import { differences } from './alignment.ts'
import type { Token } from './tokens.ts'

/** A box of a list of tasks, with what stands behind it on its line. */
const box =
  /(?:^|\n)[ \t]*(?:[-*+]|\d+[.)])?[ \t]*(?:\[(?<mark>[ xX✓✔])\]|(?<sign>[☐☑☒]))[ \t]*(?<task>[^\n]+)/gu
/** Signs that say yes, as a tick does, and those that say no. */
const yes = /✅|✔|☑|👍|🟢|🆗/u
const no = /❌|✗|✘|☒|👎|🔴|🚫|⛔/u
/** A right that is given or taken, and the like: +x, u+w, -x. */
const flag = /(?<![^\s"'`([=])(?<who>[ugoa]{0,3})(?<sign>[+-])(?<what>[a-z]{1,6})(?![\p{L}\p{N}_-])/gu

/** Whether a task is ticked in one text alone, one says yes by a sign and the other no, or a flag is set in one and unset in the other. */
export function haveOtherMarks(one: string, other: string): boolean {
  if (haveOtherValues(tasksIn(one), tasksIn(other)) || haveOtherValues(flagsIn(one), flagsIn(other)))
    return true
  const isYes = (text: string) => yes.test(text) && !no.test(text)
  const isNo = (text: string) => no.test(text) && !yes.test(text)
  return (isYes(one) && isNo(other)) || (isNo(one) && isYes(other))
}

const haveOtherValues = (values: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>): boolean =>
  [...values].some(([name, value]) => others.has(name) && others.get(name) !== value)

const tasksIn = (text: string): Map<string, string> =>
  new Map(
    [...text.matchAll(box)].map(({ groups: { mark = '', sign = '', task = '' } = {} }) => [
      task.trim().toLowerCase(),
      mark === ' ' || sign === '☐' ? 'open' : 'done',
    ]),
  )

const flagsIn = (text: string): Map<string, string> =>
  new Map(
    [...text.matchAll(flag)].map(({ groups: { who = '', sign = '', what = '' } = {} }) => [
      `${who} ${what}`,
      sign,
    ]),
  )

/** A name with what denies it in front: !done, !user.done; not the end of a sentence, nor the mark of an image. */
const denied = /(?<![\p{L}\p{N}!?)\]])!(?<name>[\p{L}_$][\p{L}\p{N}_$.]*)/gu

/** Whether a name is denied by an exclamation mark in one text, and stands without it in the other. */
export function isDeniedInCode(one: string, other: string): boolean {
  const namesOf = (text: string) =>
    new Set([...text.matchAll(denied)].map(({ groups }) => groups?.name ?? ''))
  const isOther = (names: ReadonlySet<string>, others: ReadonlySet<string>, text: string) =>
    [...names].some((name) => !others.has(name) && text.split(/[^\p{L}\p{N}_$.]+/u).includes(name))
  const [names, others] = [namesOf(one), namesOf(other)]
  return isOther(names, others, other) || isOther(others, names, one)
}

/** A name of code: with a capital behind a small letter, or an underscore between its parts. */
const identifier =
  /(?<![\p{Script=Latin}\d_$@/.-])(?:[A-Za-z$][A-Za-z\d$]*_[A-Za-z\d_]*[A-Za-z\d]|[A-Za-z]*[a-z]\d*[A-Z][A-Za-z\d]*)(?![\p{Script=Latin}\d_])/gu
/** A name of parts with a number at its end, as of regions and servers: eu-west-1. */
const numberedName = /(?<![\p{L}\p{N}_./-])[a-z]+(?:-[a-z]+)+-?(?<number>\d{1,3})(?![\p{L}\p{N}-])/gu

/** As it is compared: however its parts are joined. */
const plain = (text: string): string => text.toLowerCase().replaceAll(/[_\s-]+/gu, '')

/** Whether each has a name of code, or another name of parts with the same number, that the other has not in any way of writing. */
export function haveOtherIdentifierNames(one: string, other: string): boolean {
  const areOther = (names: readonly string[], others: readonly string[]) => {
    const [text, otherText] = [plain(one), plain(other)]
    return (
      names.some((name) => !otherText.includes(plain(name))) &&
      others.some((name) => !text.includes(plain(name)))
    )
  }
  if (areOther(one.match(identifier) ?? [], other.match(identifier) ?? [])) return true
  const [numbered, others] = [one, other].map((text) => [...text.matchAll(numberedName)]) as [
    RegExpExecArray[],
    RegExpExecArray[],
  ]
  return numbered.some(({ 0: name, groups }) => {
    const same = others.filter((each) => each.groups?.number === groups?.number).map(([each]) => each)
    return same.length > 0 && areOther([name], same)
  })
}

/** Commands whose arguments are names. */
const commands = new Set(
  'git docker podman kubectl npm npx yarn pnpm pip brew apt cargo helm terraform systemctl chmod chown ssh scp rsync curl wget aws gcloud psql'.split(
    ' ',
  ),
)

/** Whether two command lines are the same but for an argument of the same command. */
export function haveOtherArguments(one: readonly Token[], other: readonly Token[]): boolean {
  const [first, second] = one
  if (first === undefined || second === undefined || !commands.has(first.raw)) return false
  if (first.raw !== other[0]?.raw || second.raw !== other[1]?.raw) return false
  const [place, ...more] = differences(
    one.map(({ raw }) => raw),
    other.map(({ raw }) => raw),
  )
  if (place === undefined || more.length > 0) return false
  const [words, others] = [one.slice(...place.one), other.slice(...place.other)]
  return words.length > 0 && words.length === others.length && words.every(({ kind }) => kind === 'word')
}
