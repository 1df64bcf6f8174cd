import { createRequire } from 'node:module'

const addon = load()

/** The native kernels, or null where the addon was not built or ACCEL=js. */
export const accel = addon && {
  name: 'native',
  nearest({ dimensions, count, values, inverseNorms, labels, flags }, query, k, minScore, selection) {
    const { requiredFlags, allowed } = selection
    return addon.nearest(
      dimensions,
      count,
      values,
      inverseNorms,
      labels,
      flags,
      query,
      k,
      minScore,
      requiredFlags,
      allowed,
    )
  },
  nearestMany({ dimensions, count, values, inverseNorms, labels, flags }, queries, k, minScore, selection) {
    const { requiredFlags, allowed } = selection
    return addon.nearestMany(
      dimensions,
      count,
      values,
      inverseNorms,
      labels,
      flags,
      queries,
      k,
      minScore,
      requiredFlags,
      allowed,
    )
  },
  nearestBytes({ dimensions, count, values, inverseNorms, labels, flags }, query, k, minScore, selection) {
    const { requiredFlags, allowed } = selection
    return addon.nearestBytes(
      dimensions,
      count,
      values,
      inverseNorms,
      labels,
      flags,
      query,
      k,
      minScore,
      requiredFlags,
      allowed,
    )
  },
  quantizeBytes: addon.quantizeBytes,
  einsum(spec, a, b) {
    return addon.einsum(spec, a.values, a.shape, b.values, b.shape)
  },
  cosine: addon.cosine,
  norms: addon.norms,
  hopfieldStep: addon.hopfieldStep,
  slerp: addon.slerp,
  softmax: addon.softmax,
  logSumExp: addon.logSumExp,
  bindProduct: addon.bindProduct,
  bindCircular: addon.bindCircular,
  unbindCircular: addon.unbindCircular,
  bundle: addon.bundle,
  rotate: addon.rotate,
  rotateBack: addon.rotateBack,
  project: addon.project,
  unproject: addon.unproject,
  vectorTexts: addon.vectorTexts,
  splitVectors: addon.splitVectors,
  sum: addon.sum,
  features: addon.features,
  panicNow: addon.panicNow,
  panicLater: addon.panicLater,
  Shard: addon.NativeShard,
  loadShard: addon.loadShard,
  searchShard: addon.searchShard,
  searchShardMany: addon.searchShardMany,
  searchShardLater: addon.searchShardLater,
  Lexicon: addon.NativeLexicon,
  searchLexicon: addon.searchLexicon,
  scoreLexicon: addon.scoreLexicon,
  terms: addon.terms,
}

/** ACCEL=js loads nothing; ACCEL=native throws where the addon cannot be loaded. */
function load() {
  const choice = process.env.ACCEL
  if (choice === 'js') return null
  try {
    return createRequire(import.meta.url)(`./dist/accel.${process.platform}-${process.arch}.node`)
  } catch (cause) {
    if (choice === 'native') throw new Error('ACCEL=native, but the addon cannot be loaded', { cause })
    return null
  }
}
