// This file has no static import and no recent syntax: an older Node must get as far as the message.
const OLDEST = 24

if (Number(process.versions.node.split('.')[0]) < OLDEST) {
  process.stderr.write(
    `Limber needs Node ${OLDEST} or newer, and this is Node ${process.versions.node}. Use node_modules/.bin/node.\n`,
  )
  process.exitCode = 1
} else {
  void import('./boot.ts')
}
