import { copyFileSync, linkSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const graphFile = 'model.onnx'
/** The shipped output, under another name of the same length, and what the head is given. */
const output = 'sentence_embedding'
const renamed = 'shipped__embedding'
const pooled = 'e5'

/**
 * Puts the files of an encoder into a folder, with a graph whose output is what the head is given, then what it makes of
 * that: both of unit length, one behind the other.
 */
export function copyHeadless(models: string, folder: string): void {
  for (const file of readdirSync(models)) {
    if (file === graphFile) writeFileSync(join(folder, file), withBoth(readFileSync(join(models, file))))
    else copy(join(models, file), join(folder, file))
  }
}

/** Without using up space where the folder is on the same disk: the weights are 74 MB. */
function copy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}

/** The numbers of protobuf fields, as onnx.proto has them. */
const field = {
  model: { graph: 7 },
  graph: { node: 1, output: 12 },
  node: { input: 1, output: 2, operator: 4, attribute: 5 },
  attribute: { name: 1, integer: 3, type: 20 },
}
const isInteger = 2

function withBoth(model: Buffer): Buffer {
  const parts = fieldsOf(model).map(({ number, whole, content }) =>
    number === field.model.graph ? bytesField(number, withBothOutputs(content)) : whole,
  )
  return Buffer.concat(parts)
}

function withBothOutputs(graph: Buffer): Buffer {
  const nodes = fieldsOf(graph).filter(({ number }) => number === field.graph.node)
  const head = nodes.findLast(({ content }) => content.includes(output))
  if (head === undefined || !nodes.some(({ content }) => content.includes(pooled))) {
    throw new Error(`The graph has no ${output} that is made of ${pooled}`)
  }
  const kept = fieldsOf(graph)
    .filter(({ number }) => number !== field.graph.output)
    .map((one) => (one.whole.equals(head.whole) ? replaced(one.whole) : one.whole))
  const axis = [
    textField(field.attribute.name, 'axis'),
    integerField(field.attribute.integer, 1),
    integerField(field.attribute.type, isInteger),
  ]
  const joining = [
    textField(field.node.input, pooled),
    textField(field.node.input, renamed),
    textField(field.node.output, output),
    textField(field.node.operator, 'Concat'),
    bytesField(field.node.attribute, Buffer.concat(axis)),
  ]
  // Its name alone: the runtime knows its type.
  const declared = textField(1, output)
  return Buffer.concat([
    ...kept,
    bytesField(field.graph.node, Buffer.concat(joining)),
    bytesField(field.graph.output, declared),
  ])
}

const replaced = (node: Buffer): Buffer =>
  Buffer.from(node.toString('latin1').replace(output, renamed), 'latin1')

interface Field {
  number: number
  /** With its tag and length. */
  whole: Buffer
  content: Buffer
}

/** The fields of a protobuf message, one after the other. */
function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = []
  let at = 0
  const readVarint = () => {
    let value = 0
    for (let shift = 1; ; shift *= 128) {
      const byte = message[at++] as number
      value += (byte & 127) * shift
      if (byte < 128) return value
    }
  }
  while (at < message.length) {
    const start = at
    const tag = readVarint()
    const kind = tag & 7
    if (kind === 0) readVarint()
    const length = kind === 2 ? readVarint() : kind === 0 ? 0 : kind === 1 ? 8 : 4
    const content = message.subarray(at, at + length)
    at += length
    fields.push({ number: tag >>> 3, whole: message.subarray(start, at), content })
  }
  return fields
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let left = value
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) + 128)
  return Buffer.from([...bytes, left])
}

const bytesField = (number: number, content: Buffer): Buffer =>
  Buffer.concat([varint(number * 8 + 2), varint(content.length), content])

const textField = (number: number, text: string): Buffer => bytesField(number, Buffer.from(text))

const integerField = (number: number, value: number): Buffer =>
  Buffer.concat([varint(number * 8), varint(value)])
