import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Block, readBlocks } from './blocks.ts'
import { differences } from './shape.ts'
import type { Workspace } from './workspace.ts'

/** How the blocks of a language run that are one program, in the order of the page. */
const programs: Record<string, { file: string; command: string }> = {
  ts: { file: 'program.ts', command: 'npx node program.ts' },
  python: { file: 'program.py', command: 'python3 program.py' },
}

/** What is refused ends the page, as does every other command that fails. A newline keeps answers apart. */
const prelude = `set -euo pipefail
curl() { local status=0; command curl --fail-with-body "$@" || status=$?; echo; return $status; }
export -f curl
refused() { echo 'The page says that this is refused, and it was not.'; exit 1; }
`
const stepMark = '----- step '

/** A block of a shell, or a program of several blocks, and what the page shows of its output. */
interface Step {
  line: number
  script: string
  shown: Block[]
}

/** Runs the blocks of a page against the service, as they stand, in one shell. */
export class Page {
  readonly path: string
  readonly blocks: Block[]
  readonly #workspace: Workspace
  /** Addresses that stand in pages, and what they are here. */
  readonly #addresses: [string, string][]
  readonly #pythonPath: string

  /**
   * @param markdown what stands at the path, which is for messages
   * @param pythonPath where programs in Python find packages
   */
  constructor(path: string, markdown: string, workspace: Workspace, pythonPath = '') {
    this.path = path
    this.#pythonPath = pythonPath
    this.blocks = readBlocks(markdown)
    this.#workspace = workspace
    this.#addresses = [
      ['http://127.0.0.1:8000', workspace.service.url],
      ['http://127.0.0.1:8001', `http://127.0.0.1:${workspace.service.opsPort}`],
      ['https://hooks.example.com', workspace.receiver],
    ]
  }

  /** @returns a sentence for everything that did not go as the page says, up to the first command that fails */
  async run(): Promise<string[]> {
    const faults = await this.#check()
    if (faults.length > 0) return faults
    const steps = this.#steps()
    const lines = steps.map((step, i) => `echo; echo '${stepMark}${i}'\n${scriptOf(step)}\n`)
    this.#write('page.sh', prelude + lines.join(''))
    // One pipe for all that is written, which `tee /dev/stderr` can open.
    const { code, output } = await this.#execute('bash', ['-o', 'pipefail', '-c', 'bash page.sh 2>&1 | cat'])
    const outputs = output.split(stepMark).slice(1)
    const found = outputs.flatMap((text, i) => {
      const step = steps[i] as Step
      const where = `${this.path}:${step.line}`
      if (code !== 0 && i === outputs.length - 1)
        return [`${where} ended with ${code}: ${text.slice(-2_000)}`]
      return step.shown.flatMap((shown) => this.#compare(shown, text).map((fault) => `${where}: ${fault}`))
    })
    return outputs.length === 0 && steps.length > 0 ? [`${this.path} did not begin: ${output}`] : found
  }

  /** What is found without running anything, in the syntax of what is not run. */
  async #check(): Promise<string[]> {
    const faults: string[] = []
    for (const { line, code } of this.#of('sh', false)) {
      this.#write('part.sh', code)
      const checked = await this.#execute('bash', ['-n', 'part.sh'])
      if (checked.code !== 0) faults.push(`${this.path}:${line}: ${checked.output}`)
    }
    return faults
  }

  /** A program runs where its last block stands. */
  #steps(): Step[] {
    const steps: Step[] = []
    const begun = new Map<string, Step>()
    let latest: Step | undefined
    for (const block of this.blocks.filter(({ notRun }) => notRun === undefined)) {
      const { language, line, code } = block
      const program = programs[language]
      if (language === 'sh') {
        latest = { line, script: code, shown: [] }
        steps.push(latest)
      } else if (program !== undefined) {
        const all = this.#of(language, true)
        this.#write(program.file, `${all.map((each) => each.code).join('\n')}\n`)
        latest = begun.get(language) ?? { line, script: program.command, shown: [] }
        begun.set(language, latest)
        if (block === all.at(-1)) steps.push(latest)
      } else if (language === 'json' || language === 'text') latest?.shown.push(block)
    }
    return steps
  }

  #of(language: string, isRun: boolean): Block[] {
    return this.blocks.filter(
      (block) => block.language === language && (block.notRun === undefined) === isRun,
    )
  }

  #compare({ language, code, line }: Block, output: string): string[] {
    const shown = this.#real(code)
    if (language === 'json') return differences(JSON.parse(shown), lastJson(output))
    return output.includes(shown) ? [] : [`line ${line} is not what came: ${output}`]
  }

  #write(name: string, text: string): void {
    writeFileSync(join(this.#workspace.folder, name), this.#real(text))
  }

  #real(text: string): string {
    return this.#addresses.reduce((real, [said, is]) => real.replaceAll(said, is), text)
  }

  #execute(program: string, args: string[]): Promise<{ code: number; output: string }> {
    const { folder, service } = this.#workspace
    const { PATH, HOME, NODE_COMPILE_CACHE } = process.env
    const env = {
      ...{ PATH, HOME, NODE_COMPILE_CACHE },
      ...{ MEMORY_SERVICE_URL: service.url, OPS_PORT: String(service.opsPort) },
      ...{ PYTHONPATH: this.#pythonPath, PYTHONDONTWRITEBYTECODE: '1' },
    }
    return new Promise((resolve) => {
      execFile(program, args, { cwd: folder, env, timeout: 120_000 }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr }),
      )
    })
  }
}

/** A block after which the page shows an error has to fail. */
function scriptOf({ script, shown }: Step): string {
  const isRefused = shown.some(({ language, code }) => language === 'json' && 'detail' in JSON.parse(code))
  return isRefused ? `set +e\n${script}\n[ $? -ne 0 ] || refused\nset -e` : script
}

/** The last line of an output that is JSON. */
function lastJson(output: string): unknown {
  for (const line of output.split('\n').reverse()) {
    if (!/^[[{]/.test(line)) continue
    try {
      return JSON.parse(line)
    } catch {}
  }
  return undefined
}
