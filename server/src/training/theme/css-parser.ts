import { createRequire } from 'node:module'

type CssTree = typeof import('css-tree')

let loaded: CssTree | undefined

/** The CSS parser with its tables of all properties: large, and loaded when the first stylesheet is looked at. */
export function cssTree(): CssTree {
  loaded ??= createRequire(import.meta.url)('css-tree') as CssTree
  return loaded
}
