import { createRequire } from 'node:module'

type CssTree = typeof import('css-tree')

let loaded: CssTree | undefined

/** Loads the CSS parser on first use: its property tables are large. */
export function cssTree(): CssTree {
  loaded ??= createRequire(import.meta.url)('css-tree') as CssTree
  return loaded
}
