// Prepares what makes the first start fast. Never fails an install: the service makes up for it at start.
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.log(`memory-service: prepared nothing on Node ${process.versions.node}; npm start uses Node 24`)
} else {
  try {
    const { makeSeed } = await import('../packages/shared/src/platform/database/embedded.ts')
    await makeSeed()
  } catch (error) {
    console.log(`memory-service: no database seed (${error.message}); the first start takes longer`)
  }
}
