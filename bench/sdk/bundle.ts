import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

/** Bytes of what a browser would get. */
export interface Size {
  minified: number
  gzip: number
  brotli: number
}

/** Bundles and minifies one export of the built client, or all of it. */
export async function sizeOf(sdk: string, name: string): Promise<Size> {
  const folder = mkdtempSync(join(tmpdir(), 'memory-bundle-'))
  try {
    const input = join(folder, 'entry.mjs')
    writeFileSync(input, `export ${name === '*' ? '*' : `{ ${name} }`} from ${JSON.stringify(sdk)}`)
    await using build = await rolldown({ input, platform: 'browser' })
    const { output } = await build.generate({ format: 'esm', minify: true })
    const code = Buffer.from(output[0].code)
    return {
      minified: code.length,
      gzip: gzipSync(code, { level: 9 }).length,
      brotli: brotliCompressSync(code).length,
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
