import { copyFileSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  closeEncoderGate,
  type Encoder,
  EncoderError,
  newEncoderGate,
  openEncoder,
} from '../../packages/engine/src/encoder/encoder.ts'
import reference from './reference.json' with { type: 'json' }

const models = fileURLToPath(new URL('../../models', import.meta.url))
const temporary = mkdtempSync(join(tmpdir(), 'encoder-'))
afterAll(() => rmSync(temporary, { recursive: true }))

let encoder: Encoder
beforeAll(async () => {
  encoder = await openEncoder(models)
})
afterAll(() => encoder.close())

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let dot = 0
  let aa = 0
  let bb = 0
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!
    aa += a[i]! ** 2
    bb += b[i]! ** 2
  }
  return dot / Math.sqrt(aa * bb)
}

function bits(embedding: Float32Array): string {
  return Buffer.from(embedding.buffer, embedding.byteOffset, embedding.byteLength).toString('hex')
}

describe('encode', () => {
  it('gives the reference vectors', async () => {
    for (const { text, ids, vector } of reference.items) {
      const embedding = await encoder.encode(text)
      expect(embedding).toHaveLength(384)
      expect(cosine(embedding, vector), text).toBeGreaterThanOrEqual(0.999)
      expect(encoder.countTokens(text)).toBe(ids.length)
    }
  })

  it('gives unit vectors, also for the empty and for long texts', async () => {
    for (const text of ['', ' ', 'Lisbon', 'I moved to Lisbon. '.repeat(150), '😀']) {
      const embedding = await encoder.encode(text)
      expect(Math.hypot(...embedding)).toBeCloseTo(1, 6)
    }
  })

  it('gives the same bits again, whatever was encoded in between, and at once', async () => {
    const text = 'The invoice was paid on 5 November.'
    const first = bits(await encoder.encode(text))
    await encoder.encode('something much longer than that '.repeat(60))
    expect(bits(await encoder.encode(text))).toBe(first)
    const together = await Promise.all(
      ['a', text, 'b b b b b b b b', text].map((each) => encoder.encode(each)),
    )
    expect([bits(together[1]!), bits(together[3]!)]).toEqual([first, first])
  })

  it('hands out vectors that later calls do not change', async () => {
    const kept = await encoder.encode('one')
    const before = bits(kept)
    await encoder.encode('two')
    expect(bits(kept)).toBe(before)
  })

  it('sees the end of a text of several windows', async () => {
    const filler = 'It rained all day and nothing happened. '.repeat(100)
    expect(encoder.countTokens(filler)).toBeGreaterThan(512)
    const with1 = await encoder.encode(`${filler}My blood type is AB negative.`)
    const without = await encoder.encode(filler)
    const query = await encoder.encode('My blood type is AB negative.')
    expect(cosine(with1, query)).toBeGreaterThan(cosine(without, query))
  })
})

describe('modelId', () => {
  it('names the model and its content', async () => {
    expect(encoder.modelId).toMatch(/^multilingual-e5-small@[0-9a-f]{12}$/)
  })

  it('stays when the directory moves and changes when a file does', async () => {
    const moved = await openEncoder(directoryWith({}))
    expect(moved.modelId).toBe(encoder.modelId)
    await moved.close()
    const changed = await openEncoder(
      directoryWith({ 'tokenizer_config.json': '{"model_max_length":512}' }),
      {
        name: 'other',
      },
    )
    expect(changed.modelId).toMatch(/^other@/)
    expect(changed.modelId.slice(6)).not.toBe(encoder.modelId.split('@')[1])
    await changed.close()
  })
})

describe('openEncoder refuses', () => {
  const names = 'model.onnx, model.onnx.data, tokenizer.json and tokenizer_config.json'

  it.each(['model.onnx', 'model.onnx.data', 'tokenizer.json', 'tokenizer_config.json'])(
    'a directory without %s',
    async (file) => {
      const directory = directoryWith({ [file]: undefined })
      await expect(openEncoder(directory)).rejects.toThrow(
        new EncoderError(
          `The encoder's file ${file} is missing in ${directory}: put ${names} there, or set MEMORY_ENCODER_DIR to a directory that has them.`,
        ),
      )
    },
  )

  it('a directory that does not exist', async () => {
    await expect(openEncoder('/nowhere')).rejects.toThrow(
      "The encoder's file model.onnx is missing in /nowhere: put",
    )
  })

  it.each([
    ['model.onnx', 'not a graph', 'cannot be loaded as an ONNX model'],
    ['model.onnx', '', 'cannot be loaded as an ONNX model'],
    ['tokenizer.json', '{"model":', 'is not a tokenizer that can be used'],
    ['tokenizer.json', '{}', 'is not a tokenizer that can be used'],
    ['tokenizer_config.json', 'null', 'is not a JSON object'],
    ['tokenizer_config.json', '{', 'is not a JSON object'],
  ])('%s with the content %j', async (file, content, problem) => {
    const directory = directoryWith({ [file]: content })
    const error = await openEncoder(directory).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(EncoderError)
    expect((error as Error).message).toContain(`The encoder's file ${file} in ${directory} ${problem}`)
    expect((error as Error).message).toMatch(/: copy (the files|it) again$/)
    expect((error as Error).message).not.toContain('\n')
  })

  it('weights that are cut off', async () => {
    const directory = directoryWith({ 'model.onnx.data': undefined })
    copyFileSync(join(models, 'model.onnx.data'), join(directory, 'model.onnx.data'))
    truncateSync(join(directory, 'model.onnx.data'), 40_000_000)
    await expect(openEncoder(directory)).rejects.toThrow('cannot be loaded as an ONNX model')
  })

  it('a model of another dimension', async () => {
    await expect(openEncoder(models, { dimensions: 768 })).rejects.toThrow(
      new EncoderError(
        `The encoder in ${models} gives vectors of 384 numbers where 768 are expected: use a model of 768 dimensions`,
      ),
    )
  })
})

describe('closing', () => {
  it('refuses to encode afterwards, and may be repeated', async () => {
    const other = await openEncoder(models)
    await other.close()
    await other.close()
    await expect(other.encode('late')).rejects.toThrow(
      new EncoderError('The encoder is closed: open another one'),
    )
  })

  it('is what closing the gate means', async () => {
    const gate = newEncoderGate()
    const other = await openEncoder(models, { gate })
    expect(closeEncoderGate(gate)).toBe(true)
    await expect(other.encode('late')).rejects.toThrow(EncoderError)
    await expect(openEncoder(models, { gate })).rejects.toThrow(EncoderError)
    await other.close()
  })

  it('tells when an encoder is still inside the gate', async () => {
    const gate = newEncoderGate()
    const other = await openEncoder(models, { gate })
    const running = other.encode('now')
    // The run is in this very thread, which the wait blocks: it cannot end before the time is over.
    expect(closeEncoderGate(gate, 20)).toBe(false)
    await running
    expect(closeEncoderGate(gate)).toBe(true)
    await other.close()
  })
})

/** A directory with the encoder's files, some of them with another content or, when undefined, left out. */
function directoryWith(changes: Record<string, string | undefined>): string {
  const directory = mkdtempSync(join(temporary, 'case-'))
  for (const file of ['model.onnx', 'model.onnx.data', 'tokenizer.json', 'tokenizer_config.json']) {
    const path = join(directory, file)
    const content = changes[file]
    if (!(file in changes)) symlinkSync(join(models, file), path)
    else if (content !== undefined) writeFileSync(path, content)
  }
  return directory
}
