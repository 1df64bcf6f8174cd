import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Request, Response } from 'express'

const encodings = ['br', 'gzip', 'identity'] as const
type Encoding = (typeof encodings)[number]

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Takes a tenth of the time of the best quality, for a tenth more bytes: somebody waits for the first answer. */
const brotliQuality = 9

const compress: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (bytes) => zip(bytes, { level: 9 }),
  identity: async (bytes) => bytes,
}

/** A file that is the same for everybody as long as the process runs. */
export interface Asset {
  type: string
  /** What clients may do with it: ask each time whether it is still the same, never ask again, or keep nothing. */
  keep: 'revalidated' | 'for good' | 'never'
  /** Its bytes in an encoding, which are made once, when they are first asked for, with a name of their own. */
  encoded(encoding: Encoding): Promise<{ bytes: Buffer; etag: string }>
}

/** @param read gives the bytes, when they are first asked for */
export function assetOf(type: string, read: () => Buffer, keep: Asset['keep'] = 'revalidated'): Asset {
  const made = new Map<Encoding, ReturnType<Asset['encoded']>>()
  let original: Buffer | undefined
  const make = async (encoding: Encoding) => {
    original ??= read()
    return withEtag(await compress[encoding](original))
  }
  return {
    type,
    keep,
    encoded: (encoding) => {
      const bytes = made.get(encoding) ?? make(encoding)
      made.set(encoding, bytes)
      return bytes
    },
  }
}

const endings: Record<Encoding, string> = { br: '.br', gzip: '.gz', identity: '' }

/** A file whose name changes with what is in it, with its encodings beside it as a build has made them. */
export function builtAsset(type: string, path: string): Asset {
  return {
    type,
    keep: 'for good',
    encoded: async (encoding) => withEtag(await readFile(path + endings[encoding])),
  }
}

const withEtag = (bytes: Buffer) => ({
  bytes,
  etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`,
})

/** Sends an asset as the client takes it, or 304 to who has it. */
export async function sendAsset(req: Request, res: Response, asset: Asset): Promise<void> {
  // Ours is the order: clients name theirs without preference.
  const encoding = encodings.find((each) => req.acceptsEncodings(each) !== false) ?? 'identity'
  const { bytes, etag } = await asset.encoded(encoding)
  res.vary('Accept-Encoding')
  if (asset.keep !== 'never') {
    res.setHeader(
      'Cache-Control',
      asset.keep === 'for good' ? 'public, max-age=31536000, immutable' : 'no-cache',
    )
    res.setHeader('ETag', etag)
    if (req.fresh) {
      res.status(304).end()
      return
    }
  }
  if (encoding !== 'identity') res.setHeader('Content-Encoding', encoding)
  res.setHeader('Content-Type', asset.type)
  res.setHeader('Content-Length', bytes.length)
  res.end(bytes)
}
