/** How numbers and names read in the commands' output. */

export const count = (n: number): string => n.toLocaleString('en-US')

/** `1 line`, `1,200 lines`. */
export const counted = (n: number, noun: string, plural = `${noun}s`): string =>
  `${count(n)} ${n === 1 ? noun : plural}`

/** `12 s`, `3 min`, `1 h 5 min`: seconds are rounded up, minutes to the nearest. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** A name that a tenant chose, without characters that a terminal or a text's direction would obey. */
export const printable = (name: string): string =>
  name.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '\ufffd')
