// Prepares what makes the first start fast, and the console. Never fails an install: the service makes up for the one at its
// start, and says how to build the other.
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.log(`memory-service: no database seed on Node ${process.versions.node}; npm start uses Node 24`)
} else {
  try {
    const { makeSeed } = await import('../packages/shared/src/platform/database/embedded.ts')
    await makeSeed()
  } catch (error) {
    console.log(`memory-service: no database seed (${error.message}); the first start takes longer`)
  }
}
try {
  await import('../apps/console/scripts/build.mjs')
} catch (error) {
  console.log(`memory-service: the console is not built (${error.message}); npm run build:console builds it`)
}
