import { readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'

const schemaWriters = /zod[\\/]v4[\\/]core[\\/](to-json-schema|json-schema-processors)\.js$/

/**
 * zod gives every schema the way to print itself as JSON schema. Only the server's API page does that; in the browser it
 * would cost 7 KB of the sign-in page. Should zod move these files, the bundle grows and its check says so.
 */
export function leanZod(): Plugin {
  return {
    name: 'limber-lean-zod',
    apply: 'build',
    enforce: 'pre',
    async load(id) {
      if (!schemaWriters.test(id)) return null
      const code = await readFile(id, 'utf8')
      const declared = [...code.matchAll(/^export (?:function|const|class) (\w+)/gm)].map((match) => match[1])
      const renamed = [...code.matchAll(/^export \{ \w+ as (\w+) \}/gm)].map((match) => match[1])
      const names = [...declared, ...renamed]
      return `const absent = () => absent\nexport { ${names.map((name) => `absent as ${name}`).join(', ')} }`
    },
  }
}
