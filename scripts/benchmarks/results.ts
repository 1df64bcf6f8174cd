import { readFileSync } from 'node:fs'
import { type Environment, repository } from '../../bench/support/environment.ts'
import { digits, type Spread } from '../../bench/support/statistics.ts'

/** What a bench has kept in `bench/results/NAME.json`: where it ran, and its figures. */
export type Result<Figures> = Figures & { environment: Environment }

/** Reads what the bench NAME has kept. The reader names the figures that it shows. */
export function readResult<Figures>(name: string): Result<Figures> {
  return JSON.parse(readFileSync(`${repository}bench/results/${name}.json`, 'utf8')) as Result<Figures>
}

/** When, where and on which commit a result was measured, as a line under its table. */
export function provenance(name: string, { environment }: Result<object>): string {
  const { processor, cores, memoryGb, commit, startedAt, loadAtStart } = environment
  const machine = `${cores} cores of ${processor.replace(/\(R\)/g, '')}, ${memoryGb} GB`
  return `<sub>[${name}.json](../bench/results/${name}.json): ${startedAt.slice(0, 10)}, ${machine}, commit ${commit}, load at start ${loadAtStart}</sub>`
}

/** The median of a figure's rounds, in three digits. */
export const median = (spread: Spread) => digits(spread.median)

/** A whole number with separators: 12,345. */
export const whole = (value: number) => Math.round(value).toLocaleString('en')

/** A share as percent: 0.514 is 51 %. */
export const percent = (share: number) => `${digits(100 * share)} %`

/** A recall, F1 or the like, in three decimals. */
export const score = (value: number) => value.toFixed(3)

/** How many times: 4.2x. */
export const times = (ratio: number) => `${digits(ratio)}x`
