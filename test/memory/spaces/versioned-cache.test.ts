import { VersionedCache } from '@memory/memory/spaces/versioned-cache'
import { expect, it } from 'vitest'

interface Copy {
  version: number
  size: number
}

/** Copies of spaces that are all at one version, of a database that answers when it is let. */
class Copies extends VersionedCache<Copy> {
  version = 1
  reads = 0
  readonly released: Copy[] = []
  #gate = Promise.resolve()

  /** Holds back what is read from now on. @returns what lets it through */
  hold(): () => void {
    const gate = Promise.withResolvers<void>()
    this.#gate = gate.promise
    return gate.resolve
  }

  take(spaceId: string, work: (copy: Copy) => Promise<void>): void {
    this.change(spaceId, work)
  }

  grow(spaceId: string, size: number): void {
    Object.assign(this.peek(spaceId) ?? {}, { size })
    this.measure(spaceId)
  }

  last(spaceId: string): void {
    this.demote(spaceId)
  }

  protected async read(_spaceId: string, copy: Copy = { version: 0, size: 1 }): Promise<Copy> {
    const { version } = this
    this.reads++
    await this.#gate
    copy.version = version
    return copy
  }

  protected sizeOf({ size }: Copy): number {
    return size
  }

  protected override onRelease(copy: Copy): void {
    this.released.push(copy)
  }
}

it('reads a space once for all that wait, and again for whoever needs what came since', async () => {
  const copies = new Copies(10)
  const open = copies.hold()
  const waiting = [copies.get('a', 1), copies.get('a', 0), copies.get('a', 1)]
  copies.version = 2
  const late = copies.get('a', 2)
  open()
  const [first] = await Promise.all(waiting)
  expect(new Set(await Promise.all([...waiting, late]))).toEqual(new Set([first]))
  expect([copies.reads, first?.version]).toEqual([2, 2])
  await copies.get('a', 2)
  expect(copies.reads).toBe(2)
})

it('gives what was dropped while it was read to those who wait, and holds nothing of it', async () => {
  const copies = new Copies(10)
  const open = copies.hold()
  const waiting = copies.get('a', 1)
  copies.drop('a')
  open()
  const copy = await waiting
  expect([copy.version, copies.count, copies.size]).toEqual([1, 0, 0])
  expect(copies.released).toEqual([copy])
})

it('gives nobody a copy that was let go of while it was brought up to date', async () => {
  for (const letGo of ['drop', 'release'] as const) {
    const copies = new Copies(10)
    const before = await copies.get('a', 1)
    copies.version = 2
    const open = copies.hold()
    const waiting = copies.get('a', 2)
    copies[letGo]('a')
    open()
    expect(await waiting).not.toBe(before)
    expect([copies.peek('a'), copies.count, copies.size]).toEqual([await waiting, 1, 1])
    expect(copies.released).toEqual([before])
  }
})

it('takes over changes in their order, after what is being read, and whoever needs them waits', async () => {
  const copies = new Copies(10)
  copies.take('a', () => Promise.reject(new Error('There is no copy.')))
  const open = copies.hold()
  const waiting = copies.get('a', 1)
  for (const version of [2, 3]) {
    copies.take('a', async (copy) => {
      expect(copy.version).toBe(version - 1)
      copy.version = version
    })
  }
  const late = copies.get('a', 3)
  open()
  expect((await late).version).toBe(3)
  expect(await waiting).toBe(await late)
  expect(copies.reads).toBe(1)
})

it('lets go of a copy that took over a part of a change', async () => {
  const copies = new Copies(10)
  const before = await copies.get('a', 1)
  copies.take('a', () => Promise.reject(new Error('It is too much.')))
  copies.version = 2
  expect(await copies.get('a', 2)).not.toBe(before)
  expect(copies.released).toEqual([before])
})

it('says what reading throws, and reads again', async () => {
  const copies = new Copies(10)
  const gate = Promise.reject(new Error('The database is away.'))
  const reading = Object.assign(copies, { read: () => gate })
  await expect(Promise.all([copies.get('a', 1), copies.get('a', 1)])).rejects.toThrow('away')
  Reflect.deleteProperty(reading, 'read')
  expect((await copies.get('a', 1)).version).toBe(1)
})

it('makes room by what was unused for longest, keeps one that alone is too large, and counts what is left', async () => {
  const copies = new Copies(3)
  for (const spaceId of ['a', 'b', 'c', 'a']) await copies.get(spaceId, 1)
  expect([copies.count, copies.size]).toEqual([3, 3])
  await copies.get('d', 1)
  expect(copies.peek('b')).toBeUndefined()
  copies.last('d')
  copies.grow('a', 2)
  expect([copies.peek('d'), copies.count, copies.size]).toEqual([undefined, 2, 3])
  copies.grow('a', 9)
  expect([copies.count, copies.size, copies.peek('a')?.size]).toEqual([1, 9, 9])
  await copies.get('b', 1)
  expect([copies.count, copies.size]).toEqual([1, 1])
  expect(copies.released).toHaveLength(4)
})
