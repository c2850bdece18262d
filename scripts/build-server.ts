import { glob } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { rolldown } from 'rolldown'

const root = join(import.meta.dirname, '..')

/**
 * Bundles the server and its libraries into a few JavaScript files. The bundle starts in a third of the time and takes a
 * third less memory, because a thousand small modules need not be found, read, and stripped of their types.
 */
const workers: Record<string, string> = {}
for await (const file of glob('server/src/**/*.worker.ts', { cwd: root }))
  workers[basename(file, '.ts')] = join(root, file)

const build = await rolldown({
  cwd: join(root, 'server'),
  input: { main: join(root, 'server/src/main.ts'), ...workers },
  platform: 'node',
  // pg tries to load the first two, which are never installed. sharp is a native library. css-tree reads files of its own
  // folder. twilio is as large as all others together, and few installations use it.
  external: ['pg-native', 'pg-cloudflare', 'sharp', 'css-tree', 'twilio'],
  logLevel: 'warn',
})
await build.write({
  dir: join(root, 'server/dist'),
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  cleanDir: true,
})
await build.close()
