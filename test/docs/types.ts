import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readBlocks } from './blocks.ts'
import { newCheckout, root } from './workspace.ts'

/**
 * What is wrong in the types of the TypeScript in pages, by all in one run of the compiler: what a page runs is one program,
 * each of its other blocks one of its own.
 * @param pages their texts by their paths
 */
export async function typeFaults(pages: ReadonlyMap<string, string>): Promise<string[]> {
  const folder = newCheckout()
  const paths: string[] = []
  for (const [path, markdown] of pages) {
    const blocks = readBlocks(markdown).filter(({ language }) => language === 'ts')
    const whole = blocks.filter(({ notRun }) => notRun === undefined).map(({ code }) => code)
    const parts = blocks.filter(({ notRun }) => notRun !== undefined).map(({ code }) => code)
    for (const program of [whole.join('\n'), ...parts].filter((text) => text !== '')) {
      writeFileSync(join(folder, `program-${paths.push(path) - 1}.ts`), `${program}\nexport {}\n`)
    }
  }
  const config = { extends: join(root, 'tsconfig.json'), include: ['program-*.ts'] }
  writeFileSync(join(folder, 'tsconfig.docs.json'), JSON.stringify(config))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const output = await new Promise<string>((resolve) => {
    const args = [compiler, '-p', 'tsconfig.docs.json', '--pretty', 'false']
    execFile(process.execPath, args, { cwd: folder }, (error, stdout, stderr) =>
      resolve(error === null ? '' : stdout + stderr || String(error)),
    )
  })
  rmSync(folder, { recursive: true, force: true })
  return output
    .split(/\n(?! )/)
    .filter((fault) => fault !== '')
    .map((fault) => fault.replace(/^program-(\d+)\.ts/, (_, at) => paths[Number(at)] as string))
}
