import { TickBatcher } from '@memory/shared/platform/tick-batcher'
import { expect, it } from 'vitest'

const turnEnds = () => new Promise((resolve) => setImmediate(resolve))

it('hands on together what one turn of the event loop brought, at its end', async () => {
  const handedOn: number[][] = []
  const batcher = new TickBatcher<number>((all) => handedOn.push(all))
  batcher.add(1)
  await Promise.resolve()
  batcher.add(2)
  expect(handedOn).toEqual([])
  await turnEnds()
  expect(handedOn).toEqual([[1, 2]])
  batcher.add(3)
  await turnEnds()
  expect(handedOn).toEqual([[1, 2], [3]])
})

it('ends at once when told to, and hands nothing on twice or when nothing came', async () => {
  const handedOn: number[][] = []
  const batcher = new TickBatcher<number>((all) => handedOn.push(all))
  batcher.flush()
  batcher.add(1)
  batcher.flush()
  expect(handedOn).toEqual([[1]])
  batcher.add(2)
  await turnEnds()
  await turnEnds()
  expect(handedOn).toEqual([[1], [2]])
})
