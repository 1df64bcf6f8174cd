import { readFileSync } from 'node:fs'
import { type ParseArgsConfig, parseArgs } from 'node:util'

/**
 * The options that a script was called with. With `--help` the comment at the script's head is its answer; what it does
 * not know ends it in one line, exit code 2.
 */
export function readOptions<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) {
    console.log(`${headOf(process.argv[1] as string)}\n\n${listOf(config)}`)
    process.exit(0)
  }
  try {
    return parseArgs(config)
  } catch (error) {
    return refuse((error as Error).message)
  }
}

/** The value of an option that a script can't do without. @param what it names */
export function required(option: string, value: string | undefined, what: string): string {
  return value ?? refuse(`--${option} names ${what}.`)
}

function refuse(message: string): never {
  console.error(`${message} (--help shows how)`)
  process.exit(2)
}

/** The first comment of a file that documents something. */
function headOf(path: string): string {
  const comment = /\/\*\*(.*?)\*\//s.exec(readFileSync(path, 'utf8'))?.[1] ?? ''
  return comment.replace(/^\s*\* ?/gm, '').trim()
}

function listOf({ options = {} }: ParseArgsConfig): string {
  const shown = Object.entries(options).map(([name, { type, default: value }]) => {
    const wants = type === 'boolean' ? '' : ' VALUE'
    const otherwise = type === 'boolean' || value === undefined ? '' : `   (${value})`
    return `  --${name}${wants}${otherwise}`
  })
  return ['Options:', ...shown].join('\n')
}
