import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = /\.(js|css|svg|json|map|txt)$/
const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path)
  if (bytes.length < 1024) return
  const [br, gz] = await Promise.all([
    brotli(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
    zip(bytes, { level: 9 }),
  ])
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)])
}

/** Writes a brotli and a gzip file next to each built file. HTML stays plain, because the server adds a nonce to it. */
export function precompress(): Plugin {
  let folder = ''
  return {
    name: 'limber-precompress',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir)
    },
    async closeBundle() {
      const files = await readdir(folder, { recursive: true })
      await Promise.all(files.filter((file) => compressible.test(file)).map((file) => compress(join(folder, file))))
    },
  }
}
