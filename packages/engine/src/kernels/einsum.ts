import { finiteResult } from './finite.ts'

/** An array of several dimensions, row-major. */
export interface Tensor {
  shape: number[]
  values: Float32Array
}

/**
 * Einstein summation over two operands, as `einsum('bd,nd->bn', queries, rows)`: a letter for every dimension,
 * letters that the result lacks are summed over. A letter twice in one operand means its diagonal.
 * @throws RangeError for what does not fit, operands that are not finite, and a result that is too large for float32
 */
export function einsum(spec: string, a: Tensor, b: Tensor): Tensor {
  const match = /^([a-z]*),([a-z]*)->([a-z]*)$/i.exec(spec)
  if (match === null) throw new RangeError(`'${spec}' is not of the form 'ab,bc->ac'`)
  const [lettersA, lettersB, result] = match.slice(1).map((letters) => [...letters]) as [
    string[],
    string[],
    string[],
  ]
  const sizes = new Map<string, number>()
  const left = read(lettersA, a, sizes)
  const right = read(lettersB, b, sizes)
  for (const letter of result)
    if (!sizes.has(letter) || result.indexOf(letter) !== result.lastIndexOf(letter))
      throw new RangeError(`the result's '${letter}' must be in an operand, and once in the result`)

  const shared = [...left.keys()].filter((letter) => right.has(letter))
  const batch = shared.filter((letter) => result.includes(letter))
  const summed = shared.filter((letter) => !result.includes(letter))
  const rowsA = [...left.keys()].filter((letter) => !right.has(letter) && result.includes(letter))
  const rowsB = [...right.keys()].filter((letter) => !left.has(letter) && result.includes(letter))
  const count = (letters: string[]) => letters.reduce((product, letter) => product * sizes.get(letter)!, 1)

  // Both operands as batches of rows, so that every element of the result is a product of two rows.
  const packedA = pack(a.values, left, [...batch, ...rowsA, ...summed], sizes)
  const packedB = pack(b.values, right, [...batch, ...rowsB, ...summed], sizes)
  const [m, n, length] = [count(rowsA), count(rowsB), count(summed)]
  const product = new Float32Array(count(batch) * m * n)
  for (let at = 0; at < product.length; at++) {
    const row = Math.floor(at / n)
    const startB = (Math.floor(row / m) * n + (at % n)) * length
    let sum = 0
    for (let i = 0; i < length; i++) sum += packedA[row * length + i]! * packedB[startB + i]!
    product[at] = sum
  }
  finiteResult({ 'first operand': a.values, 'second operand': b.values }, product)
  const strides = stridesOf([...batch, ...rowsA, ...rowsB], sizes)
  return { shape: result.map((letter) => sizes.get(letter)!), values: pack(product, strides, result, sizes) }
}

/** The stride of each letter of an operand; notes the letters' sizes. */
function read(letters: string[], { shape, values }: Tensor, sizes: Map<string, number>): Map<string, number> {
  if (shape.length !== letters.length)
    throw new RangeError(
      `'${letters.join('')}' names ${letters.length} dimensions, the operand has ${shape.length}`,
    )
  const strides = new Map<string, number>()
  let stride = 1
  for (let at = letters.length - 1; at >= 0; at--) {
    const letter = letters[at]!
    const size = shape[at]!
    if ((sizes.get(letter) ?? size) !== size)
      throw new RangeError(`'${letter}' is ${sizes.get(letter)} and ${size} long`)
    sizes.set(letter, size)
    strides.set(letter, (strides.get(letter) ?? 0) + stride)
    stride *= size
  }
  if (values.length !== stride)
    throw new RangeError(`an operand of shape [${shape.join(', ')}] has ${values.length} values`)
  return new Map([...strides].reverse())
}

function stridesOf(letters: string[], sizes: Map<string, number>): Map<string, number> {
  const strides = new Map<string, number>()
  let stride = 1
  for (const letter of letters.toReversed()) {
    strides.set(letter, stride)
    stride *= sizes.get(letter)!
  }
  return strides
}

/** The values in the order of `letters`, summed over the operand's other letters. */
function pack(
  values: Float32Array,
  strides: Map<string, number>,
  letters: string[],
  sizes: Map<string, number>,
): Float32Array {
  const others = [...strides.keys()].filter((letter) => !letters.includes(letter))
  const step = (letter: string) => [sizes.get(letter)!, strides.get(letter)!] as const
  const kept = letters.map(step)
  const dropped = others.map(step)
  const packed = new Float32Array(kept.reduce((product, [size]) => product * size, 1))
  let written = 0
  const sum = (depth: number, from: number): number => {
    if (depth === dropped.length) return values[from]!
    const [size, stride] = dropped[depth]!
    let total = 0
    for (let i = 0; i < size; i++) total += sum(depth + 1, from + i * stride)
    return total
  }
  const write = (depth: number, from: number): void => {
    if (depth === kept.length) {
      packed[written++] = sum(0, from)
      return
    }
    const [size, stride] = kept[depth]!
    if (depth === kept.length - 1 && dropped.length === 0) {
      for (let i = 0; i < size; i++) packed[written++] = values[from + i * stride]!
      return
    }
    for (let i = 0; i < size; i++) write(depth + 1, from + i * stride)
  }
  write(0, 0)
  return packed
}
