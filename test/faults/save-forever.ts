import { Snapshots } from '@memory/memory/index/snapshots'
import { SpaceIndex } from '@memory/memory/index/space-index'
import { changeTo, spaceId } from './saved-states.ts'

// A process that saves one state of a space after the other, until it is killed.
const [folder, from] = process.argv.slice(2) as [string, string]
const snapshots = new Snapshots(folder)
const index = (await snapshots.load(spaceId, () => {})) ?? new SpaceIndex(0)
for (let version = index.version + 1; ; version++) {
  for (let state = index.version + 1; state <= version; state++) changeTo(index, state)
  await snapshots.save(spaceId, index, new Date())
  process.stdout.write(`${from} ${version}\n`)
}
