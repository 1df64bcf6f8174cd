import { differences } from './alignment.ts'
import type { Token } from './tokens.ts'
import { lexiconOf } from './words.ts'

/** A box of a list of tasks, with what stands behind it on its line. */
const box =
  /(?:^|\n)[ \t]*(?:[-*+]|\d+[.)])?[ \t]*(?:\[(?<mark>[ xX✓✔])\]|(?<sign>[☐☑☒]))[ \t]*(?<task>[^\n]+)/gu
/** Signs that say yes, as a tick does, and those that say no. */
const yes = /✅|✔|☑|👍|🟢|🆗/u
const no = /❌|✗|✘|☒|👎|🔴|🚫|⛔/u
/** A right that is given or taken, and the like: +x, u+w, -x. A sign that begins a line is the mark of a list. */
const flag =
  /(?<![^\s"'`([=])(?<!(?:^|\n)[^\S\n]{0,8})(?<who>[ugoa]{0,3})(?<sign>[+-])(?<what>[a-z]{1,6})(?![\p{L}\p{N}_-])/gu

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

/**
 * A name of code with what denies it in front: behind a sign or a word of code, or with a part that words have not, as !user.done.
 * Elsewhere the mark ends a sentence, begins an image or addresses somebody; in a style sheet it makes a rule important.
 */
const denied =
  /(?:(?<=(?:^|\n|[(=&|?:,;{[`]|(?<![\p{L}\p{N}_$])(?:return|if|elif|while|until|unless|assert|and|or))[^\S\n]{0,8})!(?!important\b)|(?<![\p{L}\p{N}!?)\]])!(?=[\p{L}_$][\p{L}\p{N}$]*(?:[._]\p{L}|(?<=\p{Ll})\p{Lu})))(?<name>[\p{L}_$][\p{L}\p{N}_$.]*[\p{L}\p{N}_$]|[\p{L}_$])/gu
/** In what other ways code, and what is said of it, denies. */
const denial =
  /(?<![\p{L}\p{N}_])(?:false|falsy|not|no|non|none|never|null|nil|undefined|unset|unless|until|missing|lacks?|lacking|absent|without|except|empty|off|disabled|failed|fails|0|nicht|kein\p{L}{0,2}|ohne|fehlt|falsch|pas|sans|aucune?|faux|manque|sin|falso|falta|nulo|senza|manca|não|sem|niet|geen|zonder|ontbreekt|inte|ikke|utan|uden|uten|nie|bez|brak|není|не|нет|без|ні|немає)(?![\p{L}\p{N}_])|n['’]t(?!\p{L})|!(?=\s*\()|!==?|¬|不|没|未|否|ない|なし|않|없/giu

/** Whether a name is denied by an exclamation mark in one text, and stands undenied in the other. */
export function isDeniedInCode(one: string, other: string): boolean {
  const namesOf = (text: string) =>
    new Set([...text.matchAll(denied)].map(({ groups }) => groups?.name ?? ''))
  const isOther = (names: ReadonlySet<string>, others: ReadonlySet<string>, text: string) =>
    [...names].some((name) => !others.has(name) && text.split(/[^\p{L}\p{N}_$.]+/u).includes(name))
  const [names, others] = [namesOf(one), namesOf(other)]
  if (names.size + others.size === 0) return false
  const [denials, otherDenials] = [one, other].map((text) => (text.match(denial) ?? []).length) as [
    number,
    number,
  ]
  return (
    (isOther(names, others, other) && otherDenials <= denials) ||
    (isOther(others, names, one) && denials <= otherDenials)
  )
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

/** Commands whose arguments are names, with the commands that each has of its own; of some everything may follow. */
const commandsOf: Readonly<Record<string, string>> = {
  git: `add am apply bisect blame branch checkout cherry-pick clone commit config diff fetch init log merge mv pull push rebase remote
    reset restore revert rm show stash status switch tag worktree`,
  'docker podman': `attach build compose container cp create exec image images inspect kill logs network ps pull push restart rm rmi
    run start stop tag volume`,
  kubectl:
    'apply config create delete describe edit exec get label logs patch port-forward rollout scale set top',
  'npm pnpm yarn': 'add exec i install link publish remove run uninstall unlink update upgrade why',
  'pip pip3': 'download freeze install show uninstall',
  brew: 'info install link reinstall services tap uninstall unlink update upgrade',
  'apt apt-get': 'install purge remove show update upgrade',
  cargo: 'add install publish remove run update',
  helm: 'get install list repo rollback uninstall upgrade',
  terraform: 'apply destroy import init output plan state workspace',
  systemctl: 'disable enable mask reload restart start status stop unmask',
  'npx chmod chown ssh scp rsync curl wget aws gcloud psql': '',
}
const commands = new Map(
  Object.entries(commandsOf).flatMap(([programs, own]) =>
    programs.split(' ').map((program) => [program, new Set(own.split(/\s+/).filter(Boolean))] as const),
  ),
)
/** Languages of everyday words that prose about a command has, and a command has not. */
const prose = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'da', 'pl']

/** The words of a command line from the program on, which one of its commands, a number or an option must follow. */
function commandIn(tokens: readonly Token[]): readonly Token[] | undefined {
  const line = tokens.slice(tokens.findIndex(({ kind, raw }) => kind !== 'sign' && raw !== 'sudo'))
  const [program, second, ...more] = line
  const own = program && commands.get(program.raw)
  if (own === undefined || second === undefined) return undefined
  const isCommand =
    own.size > 0 ? own.has(second.raw) : second.kind === 'number' || line.some(({ isSetOff }) => isSetOff)
  const isProse = more.some(({ key }) =>
    prose.some((code) => lexiconOf(code).common.has(key) || isDeterminerOf(code, key)),
  )
  return isCommand && !isProse ? line : undefined
}

const isDeterminerOf = (code: string, key: string): boolean =>
  lexiconOf(code).determiners.some(({ text }) => text === key)

/** Whether two command lines are the same but for an argument of the same command. Options have several names each. */
export function haveOtherArguments(one: readonly Token[], other: readonly Token[]): boolean {
  const [line, otherLine] = [commandIn(one), commandIn(other)]
  if (line === undefined || otherLine === undefined) return false
  if (line[0]?.raw !== otherLine[0]?.raw || line[1]?.raw !== otherLine[1]?.raw) return false
  const [place, ...more] = differences(
    line.map(({ raw }) => raw),
    otherLine.map(({ raw }) => raw),
  )
  if (place === undefined || more.length > 0) return false
  if (isInOption(line, place.one[0]) || isInOption(otherLine, place.other[0])) return false
  const [words, others] = [line.slice(...place.one), otherLine.slice(...place.other)]
  if (words.length !== others.length || !words.every(({ kind }) => kind === 'word')) return false
  const isKind = line[0]?.raw === 'kubectl' && place.one[0] === 2
  // "npm install failed again" tells what became of it.
  if ([...words, ...others].some(({ raw }) => /ed$/u.test(raw))) return false
  return words.some(({ raw }, i) => !isKind || !areShort(raw, (others[i] as Token).raw))
}

/** Whether what stands there is part of an option: "force" and "lease" in "--force-with-lease". */
function isInOption(line: readonly Token[], at: number): boolean {
  let from = at
  while (line[from]?.isJoined) from--
  return line[from]?.isSetOff === true
}

/** Whether one is short for the other, as a kind of resource may be written: "po", "pod" and "pods", "svc" and "services". */
function areShort(one: string, other: string): boolean {
  const [short, long] = [one, other].toSorted((a, b) => a.length - b.length) as [string, string]
  let at = 0
  for (const letter of long) if (letter === short[at]) at++
  return short[0] === long[0] && at === short.length
}
