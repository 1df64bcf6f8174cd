/**
 * Those fields of a form that hold something else than it began with: to send the others too would undo what somebody else has
 * changed of them meanwhile.
 */
export function changedOf<Fields extends object>(began: Fields, now: Fields): Partial<Fields> {
  const isChanged = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(began[name as keyof Fields])
  return Object.fromEntries(Object.entries(now).filter(isChanged)) as Partial<Fields>
}
