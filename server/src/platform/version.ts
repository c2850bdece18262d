import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '#platform/paths.ts'

let known: string | undefined

export function version(): string {
  known ??= (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version
  return known
}
