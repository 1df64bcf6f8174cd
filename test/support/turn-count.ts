import { setImmediate as nextTurn } from 'node:timers/promises'

/** Counts the turns of the event loop, in each of which it reads what has come from the network. */
export class TurnCount {
  count = 0

  /** Counts while `work` runs. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    let isOver = false
    const counting = (async () => {
      for (; !isOver; this.count++) await nextTurn()
    })()
    try {
      return await work()
    } finally {
      isOver = true
      await counting
    }
  }
}
