interface Named {
  name: string
  /** What it is one of. */
  group: string
}

/** Without case and accents. */
const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** How far what was typed is from being what it is called, by where in it the word is; undefined where it is in neither. */
function distance(word: string, { name, group }: Named): number | undefined {
  const at = ` ${plain(name)}`.indexOf(` ${word}`)
  if (at >= 0) return at === 0 ? 0 : 1
  if (plain(name).includes(word)) return 2
  return plain(group).includes(word) ? 3 : undefined
}

/** Those in whose name, or group, every word is that was typed: first those whose name begins with it, else as they come. */
export function matching<Choice extends Named>(choices: readonly Choice[], typed: string): Choice[] {
  const words = plain(typed).split(/\s+/)
  return choices
    .map((choice) => ({ choice, distances: words.map((word) => distance(word, choice)) }))
    .filter(({ distances }) => !distances.includes(undefined))
    .map(({ choice, distances }) => ({
      choice,
      far: distances.reduce<number>((sum, d) => sum + (d ?? 0), 0),
    }))
    .sort((a, b) => a.far - b.far)
    .map(({ choice }) => choice)
}
