import { expect, it } from 'vitest'
import {
  type AuditEntry,
  csvCell,
  exportAudit,
} from '../../apps/console/src/pages/organization/audit-export.ts'

const entry = (n: number, more: Partial<AuditEntry> = {}): AuditEntry => ({
  action: 'login',
  actor_email: 'ada@example.com',
  success: true,
  timestamp: new Date(1_700_000_000_000 - n).toISOString(),
  ...more,
})

/** A log, newest first. */
async function* logOf(entries: AuditEntry[]) {
  yield* entries
}
const longLog = Array.from({ length: 450 }, (_, n) => entry(n))

it.each(['=HYPERLINK("http://example.com","x")', '+1', '-1+1', '@SUM(1)', ' =1', '\t=1', '\r=1', '＝1'])(
  'writes %j so that no spreadsheet computes it',
  (text) => {
    const cell = csvCell(text)
    expect(cell.startsWith(`"'`)).toBe(true)
    expect(cell).toBe(`"'${text.replaceAll('"', '""').replace('\t=', "\t'=")}"`)
  },
)

it.each(['a;=1', 'a\t@SUM(1)', 'a; -1+1;+2', 'a;＝1'])(
  'writes %j so that no other separator of a list makes it a formula',
  (text) => {
    expect(csvCell(text)).toBe(`"${text.replaceAll(/[;\t]/g, "$&'")}"`)
  },
)

it('leaves other texts as they are, in quotes', () => {
  expect(csvCell('ada@example.com')).toBe('"ada@example.com"')
  expect(csvCell('a, "b"\nc')).toBe('"a, ""b""\nc"')
})

it('has every entry, and tells how far it is', async () => {
  const told: number[] = []
  const { file, entries, isCut } = await exportAudit({
    format: 'jsonl',
    log: logOf(longLog),
    onRead: (count) => told.push(count),
  })
  expect({ entries, isCut, told }).toEqual({ entries: 450, isCut: false, told: [200, 400, 450] })
  const lines = (await file.text()).trimEnd().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as AuditEntry).timestamp)).toEqual(
    longLog.map(({ timestamp }) => timestamp),
  )
})

it('stops where the file is full, and says so', async () => {
  const exported = await exportAudit({ format: 'csv', log: logOf(longLog), bytesMax: 1 })
  expect(exported).toMatchObject({ entries: 200, isCut: true })
})

it('writes a column for each thing that an entry has', async () => {
  const entries = [entry(0, { ip: '::1', user_agent: '=1', details: { name: 'a "b"' }, success: false })]
  const { file } = await exportAudit({
    format: 'csv',
    log: logOf(entries),
  })
  expect(await file.text()).toBe(
    [
      '"timestamp","action","success","actor_email","ip","user_agent","details"',
      `"${entries[0]?.timestamp}","login","false","ada@example.com","::1","'=1","{""name"":""a \\""b\\""""}"`,
      '',
    ].join('\r\n'),
  )
})
