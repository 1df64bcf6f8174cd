import { describe, expect, it } from 'vitest'
import { type Row, TenantModel } from './model.ts'

const row = (name: string, version = 0, more: Partial<Row> = {}): Row => ({
  id: `pat_${name}`,
  tenant: 'a',
  name,
  version,
  ...more,
})

const nothing = { lost: 0, duplicated: 0, foreign: 0, halves: 0, details: [] }

function modelWith(...names: string[]): TenantModel {
  const model = new TenantModel('a')
  for (const name of names) model.acknowledge(name, 0, `pat_${name}`)
  return model
}

describe('the model of a tenant’s memory', () => {
  it('finds nothing where every acknowledged write is there once', () => {
    const model = modelWith('x', 'y', 'z')
    model.acknowledge('x', 3)
    model.acknowledge('z', 'absent')
    expect(model.compare([row('x', 3), row('y')])).toEqual(nothing)
  })

  it('finds lost stores, lost changes and deletions that came back', () => {
    const model = modelWith('store', 'change', 'deletion')
    model.acknowledge('change', 1)
    model.acknowledge('deletion', 'absent')
    expect(model.compare([row('change', 0), row('deletion')])).toMatchObject({
      ...nothing,
      lost: 3,
      details: {},
    })
  })

  it('finds what was stored twice, under another id, or by another tenant', () => {
    const twice = [row('x'), row('x', 0, { id: 'pat_other' })]
    expect(modelWith('x').compare(twice)).toMatchObject({ duplicated: 1, lost: 0 })
    expect(modelWith('x').compare([row('x', 0, { id: 'pat_other' })])).toMatchObject({ lost: 1 })
    expect(modelWith('x').compare([row('x'), row('x', 0, { tenant: 'b' })])).toMatchObject({ foreign: 1 })
    expect(modelWith('x').compare([row('x'), row('unknown')])).toMatchObject({ foreign: 1 })
  })

  it('lets an unanswered write be done or not, and holds to what it turned out to be', () => {
    for (const done of [true, false]) {
      const model = modelWith('x')
      model.doubt('x', 1)
      model.doubt('new', 0)
      const rows = done ? [row('x', 1), row('new')] : [row('x', 0)]
      expect(model.compare(rows)).toEqual(nothing)
      expect(model.compare(rows)).toEqual(nothing)
      expect(model.compare(done ? [row('x', 0)] : [row('x', 1), row('new')])).toMatchObject({ lost: 2 })
    }
  })

  it('finds an unanswered batch of which a part is there', () => {
    const batch = () => {
      const model = modelWith()
      model.doubtBatch(['x', 'y'])
      return model
    }
    expect(batch().compare([])).toEqual(nothing)
    expect(batch().compare([row('x'), row('y')])).toEqual(nothing)
    expect(batch().compare([row('x')])).toMatchObject({ halves: 1, lost: 0 })
  })
})
