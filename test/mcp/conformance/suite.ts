import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The protocol's own suite of tests. */
export const suite = '@modelcontextprotocol/conformance'
export const suiteFolder = dirname(createRequire(import.meta.url).resolve(`${suite}/package.json`))
export const suiteProgram = join(suiteFolder, 'dist/index.js')
export const { version: suiteVersion } = JSON.parse(
  readFileSync(join(suiteFolder, 'package.json'), 'utf8'),
) as { version: string }

interface Check {
  id: string
  status: string
  errorMessage?: string
}

/** What came of a scenario. */
export interface Outcome {
  scenario: string
  isPassed: boolean
  failed: string[]
}

/** Reads what the suite has written of a scenario. @param kind ahead of its name, as the suite has it */
export function outcomeOf(scenario: string, kind: string, output: string): Outcome {
  const [file = ''] = globSync(`${kind}${scenario}-[0-9][0-9][0-9][0-9]-*/checks.json`, { cwd: output })
  const checks = JSON.parse(readFileSync(join(output, file), 'utf8')) as Check[]
  const failed = checks.filter(({ status }) => status === 'FAILURE')
  const isPassed = failed.length === 0 && checks.some(({ status }) => status === 'SUCCESS')
  return { scenario, isPassed, failed: failed.map(({ id, errorMessage }) => `${id}: ${errorMessage}`) }
}
