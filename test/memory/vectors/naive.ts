import { randomFrom } from '../../engine/naive.ts'

export { naiveCosine as cosineOf } from '../../engine/naive.ts'

/** The numbers as they are kept. */
export const stored = (numbers: readonly number[]): number[] => numbers.map((number) => Math.fround(number))

export const normOf = (numbers: readonly number[]): number => Math.hypot(...numbers)

export const unitOf = (numbers: readonly number[]): number[] =>
  numbers.map((value) => value / normOf(numbers))

/** Numbers in [-1, 1), the same in every run. */
export function randomVector(dimensions: number, seed: number): number[] {
  const random = randomFrom(seed)
  return Array.from({ length: dimensions }, () => 2 * random() - 1)
}
