import { expect, it } from 'vitest'
import { failedCheck } from '../../apps/cli/src/doctor/failed-check.ts'

it.each([
  ['an error', new Error('prepared statement "s0" already exists'), 'prepared statement "s0" already exists'],
  [
    'its cause',
    new Error('fetch failed.', { cause: new Error('other side closed') }),
    'fetch failed: other side closed',
  ],
  ['a code alone', Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  ['no error', 'gone', 'gone'],
])('the doctor tells of a look that failed by %s', (_, error, cause) => {
  expect(failedCheck('database', error)).toMatchObject({
    ...{ name: 'database', state: 'fail', text: `It could not be looked at: ${cause}.` },
    remedy: expect.stringMatching(/\.$/),
  })
})
