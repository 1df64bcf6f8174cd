import { Turn } from '@memory/api/pool/turn'
import { expect, it } from 'vitest'

const turnEnds = () => new Promise((resolve) => setImmediate(resolve))

it('hands on together what one turn of the event loop brought, at its end', async () => {
  const handedOn: number[][] = []
  const turn = new Turn<number>((all) => handedOn.push(all))
  turn.add(1)
  await Promise.resolve()
  turn.add(2)
  expect(handedOn).toEqual([])
  await turnEnds()
  expect(handedOn).toEqual([[1, 2]])
  turn.add(3)
  await turnEnds()
  expect(handedOn).toEqual([[1, 2], [3]])
})

it('ends at once when told to, and hands nothing on twice or when nothing came', async () => {
  const handedOn: number[][] = []
  const turn = new Turn<number>((all) => handedOn.push(all))
  turn.end()
  turn.add(1)
  turn.end()
  expect(handedOn).toEqual([[1]])
  turn.add(2)
  await turnEnds()
  await turnEnds()
  expect(handedOn).toEqual([[1], [2]])
})
