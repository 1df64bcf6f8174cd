import type { BackupStep, OnStep } from '@memory/shared/platform/backup/backup-folder'
import type { Output } from './command.ts'
import { count } from './format.ts'
import { type Progress, startProgress } from './progress.ts'

const tasks: Record<BackupStep, string> = { copy: 'Copying', rows: 'Counting rows', checksums: 'Checksums' }

export const mebibytes = (bytes: number): number => Math.ceil(bytes / 2 ** 20)

/** Shows the steps of a backup one after the other, each with how far it is. */
export function showSteps(output: Output): { onStep: OnStep; stop(): void } {
  let shown: { step: BackupStep; progress: Progress } | undefined
  const begin = (step: BackupStep, total: number | undefined): Progress => {
    shown?.progress.stop()
    const unit = total === undefined ? 'MiB' : `of ${count(mebibytes(total))} MiB`
    const progress = startProgress(output, { total, done: 0, counted: 0, unit, task: tasks[step] })
    shown = { step, progress }
    return progress
  }
  return {
    onStep: (step, done, total) => {
      const progress = shown?.step === step ? shown.progress : begin(step, total)
      if (step === 'rows') progress.note(`${tasks.rows}.`)
      else progress.update(done, mebibytes(done))
    },
    stop: () => shown?.progress.stop(),
  }
}
