/** Gives a random number, uniform in [0, 1), at each call. */
export type Random = () => number

/**
 * A random source that gives the same numbers for the same seed: sfc32 (Doty-Humphrey, PractRand), whose 128 bits of
 * state are a hash of the seed. For sampling, not for secrets.
 */
export function seededRandom(seed: string): Random {
  let [a, b, c, counter] = hashWords(seed)
  const next = () => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return (sum >>> 0) / 2 ** 32
  }
  // The first numbers are not yet independent of the seed.
  for (let i = 0; i < 12; i++) next()
  return next
}

/** Hashes a string to four 32-bit words (cyrb128). */
function hashWords(text: string): [number, number, number, number] {
  let [h1, h2, h3, h4] = [1779033703, 3144134277, 1013904242, 2773480762]
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    h1 = h2 ^ Math.imul(h1 ^ unit, 597399067)
    h2 = h3 ^ Math.imul(h2 ^ unit, 2869860233)
    h3 = h4 ^ Math.imul(h3 ^ unit, 951274213)
    h4 = h1 ^ Math.imul(h4 ^ unit, 2716044179)
  }
  h1 = Math.imul(h3 ^ (h1 >>> 18), 597399067)
  h2 = Math.imul(h4 ^ (h2 >>> 22), 2869860233)
  h3 = Math.imul(h1 ^ (h3 >>> 17), 951274213)
  h4 = Math.imul(h2 ^ (h4 >>> 19), 2716044179)
  return [h1 ^ h2 ^ h3 ^ h4, h2 ^ h1, h3 ^ h1, h4 ^ h1]
}

/** A standard normal number (Box and Muller 1958). */
export function randomNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** A uniform random sample of up to `count` items, without repetition, in random order. */
export function sample<T>(items: ArrayLike<T>, count: number, random: Random): T[] {
  const pool = Array.from(items)
  const size = Math.min(pool.length, Math.max(0, count))
  for (let i = 0; i < size; i++) {
    const j = i + Math.floor(random() * (pool.length - i))
    const drawn = pool[j] as T
    pool[j] = pool[i] as T
    pool[i] = drawn
  }
  return pool.slice(0, size)
}
