// No static imports and no recent syntax, so that an outdated Node reaches the message.
const MIN_NODE = 24

if (Number(process.versions.node.split('.')[0]) < MIN_NODE) {
  process.stderr.write(
    `Limber needs Node ${MIN_NODE} or newer, and this is Node ${process.versions.node}. Use node_modules/.bin/node.\n`,
  )
  process.exitCode = 1
} else {
  void import('./boot.ts')
}
