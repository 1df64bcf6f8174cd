import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Request, Response } from 'express'
import { sendBytes } from './send-json.ts'

const encodings = ['br', 'gzip', 'identity'] as const
type Encoding = (typeof encodings)[number]

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** A tenth of the best quality's time, for a tenth more bytes: the first request for an asset waits for its compression. */
const brotliQuality = 9

const compress: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (bytes) => zip(bytes, { level: 9 }),
  identity: async (bytes) => bytes,
}

/** A file that is the same for everybody. */
export interface Asset {
  type: string
  /** How clients may cache it: asking each time whether it has changed, without ever asking again, or not at all. */
  keep: 'revalidated' | 'for good' | 'never'
  /** Its bytes in an encoding, and the ETag of exactly these bytes. */
  encoded(encoding: Encoding): Promise<{ bytes: Buffer; etag: string }>
}

/** An asset that is read, and compressed once per encoding, when first needed. @param read gives the uncompressed bytes */
export function assetOf(type: string, read: () => Buffer, keep: Asset['keep'] = 'revalidated'): Asset {
  let original: Buffer | undefined
  const make = async (encoding: Encoding) => {
    original ??= read()
    return withEtag(await compress[encoding](original))
  }
  return { type, keep, encoded: madeOnce(make) }
}

/** All answers share the same bytes: anybody may ask for them, and clients that do not read would keep many copies in memory. */
function madeOnce(make: Asset['encoded']): Asset['encoded'] {
  const made = new Map<Encoding, ReturnType<Asset['encoded']>>()
  return (encoding) => {
    const known = made.get(encoding)
    if (known !== undefined) return known
    const making = make(encoding)
    made.set(encoding, making)
    making.catch(() => made.delete(encoding))
    return making
  }
}

const endings: Record<Encoding, string> = { br: '.br', gzip: '.gz', identity: '' }

/** A file whose name contains a hash of its content. The build has put its compressed forms beside it. */
export function builtAsset(type: string, path: string): Asset {
  const read = async (encoding: Encoding) => withEtag(await readFile(path + endings[encoding]))
  return { type, keep: 'for good', encoded: madeOnce(read) }
}

const withEtag = (bytes: Buffer) => ({
  bytes,
  etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`,
})

/** Sends an asset in an encoding that the client accepts; answers 304 when the client has it already. */
export async function sendAsset(req: Request, res: Response, asset: Asset): Promise<void> {
  // The server's order of preference: clients rarely state one.
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
  await sendBytes(res, bytes)
}
