import { takeDataDirectory } from '@memory/shared/platform/data-directory'

/**
 * A process that takes the data directories it is given, one a line of its input, and answers each line with `held`
 * or with the reason why not. It holds them until its input ends.
 */
process.stdin.setEncoding('utf8')
let rest = ''
process.stdin.on('data', (chunk: string) => {
  const lines = (rest + chunk).split('\n')
  rest = lines.pop() as string
  for (const line of lines) {
    try {
      takeDataDirectory(line)
      process.stdout.write('held\n')
    } catch (error) {
      process.stdout.write(`${(error as Error).message}\n`)
    }
  }
})
process.stdin.on('end', () => process.exit(0))
process.stdout.write('ready\n')
