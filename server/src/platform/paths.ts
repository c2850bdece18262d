import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The root folder of the product. Searched upward, because the built server is in another folder than its sources. */
export const root = findRoot(import.meta.dirname)

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'server/migrations'))) return folder
  const above = dirname(folder)
  if (above === folder) throw new Error('The folder server/migrations is missing.')
  return findRoot(above)
}

/** The file of a worker thread next to the given module: TypeScript in the sources, JavaScript in the build. */
export const workerFile = (name: string, url: string) =>
  new URL(`./${name}.worker${url.slice(url.lastIndexOf('.'))}`, url)
