/**
 * Refuses an option that keeps to less and was lost on the way: `{ filter: filters[user] }`, where there is none of that
 * user, would be taken for no filter, and everybody's memories would be found. Only a key that is not there is none.
 * @throws TypeError that says what to do
 */
export function requireSaid<O extends object>(options: O, name: keyof O & string, what: string): void {
  if (!(name in options) || options[name] != null) return
  throw new TypeError(`${name} is ${options[name]}: ${what}`)
}
