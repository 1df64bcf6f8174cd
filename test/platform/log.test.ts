import { createLog } from '@memory/shared/platform/log'
import { expect, it } from 'vitest'

it('of an error and those within it only what it is and says is logged, not what libraries add', () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const refused = (message: string) =>
    Object.assign(new Error(message), { code: '23514', detail: 'a row', command: { args: ['a password'] } })
  const cause = refused('below')
  const error = Object.assign(new AggregateError([refused('beside')], 'above', { cause }), {
    ...{ code: 'E1', where: 'a row', inner: refused('a property') },
  })
  log.error({ err: error }, 'failed')
  log.child({ requestId: '1' }).error(error)
  for (const line of lines) {
    expect(line).not.toMatch(/a row|a password|a property/)
    expect(JSON.parse(line).err).toEqual({
      ...{ type: 'AggregateError', code: 'E1', message: 'above: below' },
      stack: expect.stringMatching(/log\.test\.ts[\s\S]*caused by: Error: below\n/),
      aggregateErrors: [
        { type: 'Error', code: '23514', message: 'beside', stack: expect.stringContaining('Error: beside') },
      ],
    })
  }
  expect(lines).toHaveLength(2)
})
