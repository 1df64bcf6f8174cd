import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Block, readBlocks } from './blocks.ts'
import { differences, madeValues } from './shape.ts'
import { root, type Workspace } from './workspace.ts'

/** Variables outlive a block. A newline keeps answers apart, and an error's status ends the block. */
const prelude = `set -euo pipefail -a
[ -f .variables ] && . ./.variables
curl() { local status=0; command curl --fail-with-body "$@" || status=$?; echo; return $status; }
export -f curl
`
const epilogue = `
export -p | grep -v ' BASH\\| SHELLOPTS' > .variables`

/** Runs the blocks of a page against the service: \`sh\` in order, then its \`ts\` as one program. */
export class Page {
  readonly path: string
  readonly blocks: Block[]
  readonly #workspace: Workspace
  /** What stands in the page, and what it is here. */
  readonly #values: [string, string][]

  /** @param markdown what stands at the path, which is for messages */
  constructor(path: string, markdown: string, workspace: Workspace) {
    this.path = path
    this.blocks = readBlocks(markdown)
    this.#workspace = workspace
    const key = readFileSync(join(workspace.folder, 'data/local-api-key'), 'utf8').trim()
    this.#values = [
      ['http://127.0.0.1:8000', workspace.service.url],
      ['http://127.0.0.1:8001', `http://127.0.0.1:${workspace.service.opsPort}`],
      ['https://hooks.example.com', workspace.receiver],
      ['mem_live_…', key],
    ]
  }

  /** @returns a sentence for everything that did not go as the page says */
  async run(): Promise<string[]> {
    const faults: string[] = []
    const runnable = this.blocks.filter((block) => block.notRun === undefined)
    for (const [i, block] of runnable.entries()) {
      if (block.language !== 'sh') continue
      const next = runnable[i + 1]
      faults.push(...(await this.#runShell(block, next?.language === 'json' ? next : undefined)))
    }
    return [...faults, ...(await this.#runPrograms())]
  }

  async #runShell(block: Block, answer: Block | undefined): Promise<string[]> {
    const { code, stdout, stderr } = await this.#execute('bash', [
      '-c',
      prelude + this.#real(block.code) + epilogue,
    ])
    const where = `${this.path}:${block.line}`
    const documented = answer === undefined ? undefined : JSON.parse(this.#real(answer.code))
    const isError = documented?.detail !== undefined
    if ((code !== 0) !== isError) return [`${where} ended with ${code}: ${stdout.slice(-2_000)}\n${stderr}`]
    if (documented === undefined) return []
    const actual = lastJson(stdout)
    this.#values.push(...madeValues(documented, actual))
    return differences(documented, actual).map((difference) => `${where}: ${difference}`)
  }

  /** Every \`ts\` block is checked; those that can run are one module, in the order of the page. */
  async #runPrograms(): Promise<string[]> {
    const all = this.blocks.filter(({ language }) => language === 'ts')
    if (all.length === 0) return []
    const whole = all.filter(({ notRun }) => notRun === undefined)
    const others = all.filter(({ notRun }) => notRun !== undefined)
    this.#write('program.ts', `${whole.map(({ code }) => code).join('\n')}\nexport {}\n`)
    for (const [i, { code }] of others.entries()) this.#write(`part-${i}.ts`, code)
    const config = { extends: join(root, 'tsconfig.json'), include: ['program.ts', 'part-*.ts'] }
    this.#write('tsconfig.docs.json', JSON.stringify(config))
    const checked = await this.#execute(join(root, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.docs.json'])
    if (checked.code !== 0) return [`${this.path}: ${checked.stdout}`]
    const { code, stdout, stderr } = await this.#execute(process.execPath, ['program.ts'])
    if (code !== 0) return [`${this.path}: its program ended with ${code}: ${stdout}\n${stderr}`]
    const outputs = this.blocks.filter(({ language, notRun }) => language === 'text' && notRun === undefined)
    return outputs
      .filter(({ code: text }) => !stdout.includes(text))
      .map(({ line }) => `${this.path}:${line} is not what its program writes: ${stdout}`)
  }

  #write(name: string, text: string): void {
    writeFileSync(join(this.#workspace.folder, name), this.#real(text))
  }

  #real(text: string): string {
    return this.#values.reduce((real, [said, is]) => real.replaceAll(said, is), text)
  }

  #execute(program: string, args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const { folder, service } = this.#workspace
    const env = {
      ...{ PATH: process.env.PATH, HOME: process.env.HOME },
      ...{ MEMORY_URL: service.url, OPS_PORT: String(service.opsPort) },
    }
    return new Promise((resolve) => {
      execFile(program, args, { cwd: folder, env, timeout: 60_000 }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
      )
    })
  }
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
