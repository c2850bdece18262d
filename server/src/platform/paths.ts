import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The product's folder: looked for upwards, since the built server lies elsewhere than its sources. */
export const root = findRoot(import.meta.dirname)

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'server/migrations'))) return folder
  const above = dirname(folder)
  if (above === folder) throw new Error('The folder server/migrations is missing.')
  return findRoot(above)
}

/** A worker's file beside this one: TypeScript among the sources, JavaScript in the built server. */
export const workerFile = (name: string, url: string) =>
  new URL(`./${name}.worker${url.slice(url.lastIndexOf('.'))}`, url)
