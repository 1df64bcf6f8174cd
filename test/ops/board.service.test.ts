import { readFileSync } from 'node:fs'
import { createOpsServer } from '@memory/api/ops/listener'
import { addressOf, listen } from '@memory/shared/platform/http-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { startServer, type TestServer } from '../support/server.ts'

const read = (path: string) => readFileSync(new URL(`../../deploy/${path}`, import.meta.url), 'utf8')

interface Panel {
  id: number
  title: string
  type: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { expr: string }[]
}
interface Rule {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string }
}

const board = JSON.parse(read('grafana/memory-service.json')) as {
  panels: Panel[]
  templating: { list: { name: string; definition?: string }[] }
}
const { groups } = parse(read('prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)

/** The names of series in an expression: what is left of it without texts, labels, ranges and functions. */
function seriesOf(expression: string): string[] {
  const left = expression
    .replace(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, ' ')
    .replace(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, ' ')
  return [...left.matchAll(/[a-z_:][\w:]*(?!\w*\s*\()/gi)]
    .map(([name]) => name)
    .filter((name) => !['and', 'or', 'unless', 'bool'].includes(name))
}

let server: TestServer
let ops: ReturnType<typeof createOpsServer>
let known: Set<string>

beforeAll(async () => {
  server = await startServer()
  ops = await listen(createOpsServer(server.context, 'token'), 0, '127.0.0.1', 'OPS_PORT')
  const text = await (await fetch(`http://127.0.0.1:${addressOf(ops).port}/metrics`)).text()
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  known = new Set(
    types.flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
    ),
  )
  // Prometheus' own.
  known.add('up')
})

afterAll(async () => {
  ops.closeAllConnections()
  await new Promise((done) => ops.close(done))
  await server.close()
})

it('reads the names of series in an expression', () => {
  const expression =
    'histogram_quantile(0.9, sum by (le, route) (rate(a_bucket{x=~"y.+"}[5m]))) / absent(b_total) or c > 0.01'
  expect(seriesOf(expression)).toEqual(['a_bucket', 'b_total', 'c'])
})

describe('the board', () => {
  const panels = board.panels.filter(({ type }) => type !== 'row')

  it.each(panels.map((panel) => [panel.title, panel] as const))(
    '%s asks for series that there are',
    (_, panel) => {
      expect(panel.targets?.length).toBeGreaterThan(0)
      for (const { expr } of panel.targets ?? []) {
        const names = seriesOf(expr)
        expect(names.length, expr).toBeGreaterThan(0)
        expect(
          names.filter((name) => !known.has(name)),
          expr,
        ).toEqual([])
      }
    },
  )

  it('offers the processes by a series that there is', () => {
    const [, name] =
      /^label_values\((\w+), instance\)$/.exec(board.templating.list[1]?.definition ?? '') ?? []
    expect(known).toContain(name)
  })

  it('shows each metric of the service that is of use to an operator', () => {
    const shown = panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => seriesOf(expr)))
    for (const name of ['memory_build_info', 'memory_refused_quotas_total', 'memory_failed_logins_total']) {
      expect(shown).toContain(name)
    }
  })

  it('has panels that do not cover each other, with ids of their own', () => {
    expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length)
    const cells = board.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, n) => `${x + (n % w)} ${y + Math.floor(n / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    expect(board.panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true)
  })
})

describe('alert rules', () => {
  it.each(rules.map((rule) => [rule.alert, rule] as const))(
    '%s asks for series that there are',
    (_, rule) => {
      const names = seriesOf(rule.expr)
      expect(names.length).toBeGreaterThan(0)
      expect(names.filter((name) => !known.has(name))).toEqual([])
      expect(['critical', 'warning', 'info']).toContain(rule.labels.severity)
      expect(rule.annotations.summary).toMatch(/\.$/)
    },
  )

  it('have names of their own', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  })
})
