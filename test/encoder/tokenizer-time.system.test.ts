import { readFileSync } from 'node:fs'
import { openTokenizer } from '@memory/engine/encoder/tokenizer/open-tokenizer'
import { expect, it } from 'vitest'

const models = new URL('../../models/', import.meta.url)

it('the light tokenizer takes linear time for texts without white space', () => {
  const file = readFileSync(new URL('tokenizer.json', models))
  const light = openTokenizer(
    file,
    JSON.parse(readFileSync(new URL('tokenizer_config.json', models), 'utf8')),
  )
  // Generous bounds of processor time: what they exclude is quadratic time, which takes seconds here.
  for (const text of ['a'.repeat(100_000), '😀'.repeat(50_000), '𓀀'.repeat(50_000), '<s'.repeat(50_000)]) {
    const start = process.cpuUsage()
    light.encode(text)
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(1_000)
  }
})
