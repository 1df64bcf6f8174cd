export interface Instruction {
  name: string
  arguments: string
}

/** The instructions of a Dockerfile; comments dropped, continued lines joined. */
export function readDockerfile(source: string): Instruction[] {
  return source
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line.trim()) ?? []
      return { name: name.toUpperCase(), arguments: rest.replace(/\s+/g, ' ').trim() }
    })
}

/** The instructions of what runs, which is the last stage. */
export const lastStage = (instructions: readonly Instruction[]): Instruction[] =>
  instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'))

/** What is copied from the build context, not from another stage. */
export function copiedSources(instructions: readonly Instruction[]): string[] {
  return instructions
    .filter(({ name, arguments: rest }) => name === 'COPY' && !rest.includes('--from='))
    .flatMap(({ arguments: rest }) => rest.split(' ').slice(0, -1))
}

/** ENV's names and values. */
export function environmentOf(instructions: readonly Instruction[]): Record<string, string> {
  const pairs = instructions
    .filter(({ name }) => name === 'ENV')
    .flatMap(({ arguments: rest }) => rest.split(' '))
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)])
  return Object.fromEntries(pairs)
}
