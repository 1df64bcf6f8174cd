import type { Check } from '@memory/shared/ops/check'

/** What a look that itself failed tells: the cause, in place of a stack that says nothing to an operator. */
export function failedCheck(name: string, error: unknown): Check {
  return {
    ...{ name, state: 'fail', text: `It could not be looked at: ${causesOf(error).join(': ')}.` },
    remedy: 'Put right what the line above says; where it says nothing to you, report it with that line.',
  }
}

/** An error's message, then what it was caused by. */
function causesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)]
  const { message, name, cause } = error
  const code = (error as NodeJS.ErrnoException).code
  const own = message === '' ? (code ?? name) : message.replace(/\.$/, '')
  return cause === undefined ? [own] : [own, ...causesOf(cause)]
}
