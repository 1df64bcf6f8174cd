import type { Check } from '@memory/shared/ops/check'

/** The result of a check that threw: the causes, in place of a stack, which says nothing to an operator. */
export function failedCheck(name: string, error: unknown): Check {
  return {
    name,
    state: 'fail',
    text: `It could not be looked at: ${causesOf(error).join(': ')}.`,
    remedy: 'Put right what the line above says; where it says nothing to you, report it with that line.',
  }
}

/** The messages of an error and of its causes. */
function causesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)]
  const { message, name, cause } = error
  const code = (error as NodeJS.ErrnoException).code
  const own = message === '' ? (code ?? name) : message.replace(/\.$/, '')
  return cause === undefined ? [own] : [own, ...causesOf(cause)]
}
