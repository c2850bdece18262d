import { readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'

const schemaWriters = /zod[\\/]v4[\\/]core[\\/](to-json-schema|json-schema-processors)\.js$/
const objects = /zod[\\/]v4[\\/]classic[\\/]schemas\.js$/

async function withoutWriters(id: string): Promise<string> {
  const code = await readFile(id, 'utf8')
  const declared = [...code.matchAll(/^export (?:function|const|class) (\w+)/gm)].map((match) => match[1])
  const renamed = [...code.matchAll(/^export \{ \w+ as (\w+) \}/gm)].map((match) => match[1])
  const names = [...declared, ...renamed]
  return `const absent = () => absent\nexport { ${names.map((name) => `absent as ${name}`).join(', ')} }`
}

async function withoutCompiler(id: string): Promise<string> {
  const code = await readFile(id, 'utf8')
  const plain = code.replaceAll('core.$ZodObjectJIT', 'core.$ZodObject')
  if (plain === code) throw new Error('zod no longer names $ZodObjectJIT: check how it compiles schemas now.')
  return plain
}

/**
 * Removes parts of zod that the browser does not need:
 * - The JSON schema writer, used only by the server's API page: 7 KB of the sign-in page.
 * - The object schema compiler. It tries `new Function`, which the content security policy forbids, so every page would
 *   report a violation and hide real ones.
 */
export function leanZod(): Plugin {
  return {
    name: 'limber-lean-zod',
    apply: 'build',
    enforce: 'pre',
    async load(id) {
      if (schemaWriters.test(id)) return withoutWriters(id)
      return objects.test(id) ? withoutCompiler(id) : null
    },
  }
}
