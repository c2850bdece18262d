import type { z } from 'zod'
import { stringifySearch } from './search.ts'

/** The paths that links can target, with the schema of their search parameters. Each area adds its own in `area.ts`. */
export interface LinkTargets {
  '/': NoSearch
}

export type NoSearch = z.ZodObject<Record<never, never>>
export type Path = keyof LinkTargets

type Values<T> = { [K in keyof T]?: (string extends T[K] ? T[K] | number : T[K]) | null | undefined }
export type SearchOf<P extends Path> = Values<z.output<LinkTargets[P]>>

/** The target of a link or of `navigate`. A wrong path or parameter does not compile. */
export const linkTo = <P extends Path>(to: P, search?: SearchOf<P>) => ({ to: to as string, search: { ...search } })

/** Changes search parameters of the current screen and keeps the others. */
export const withSearch = <P extends Path>(search: SearchOf<P>) => ({
  to: '.',
  search: (before: object) => ({ ...before, ...search }),
  resetScroll: false,
})

declare const hrefBrand: unique symbol
/** A link target as text. Only `hrefTo` creates one. */
export type Href = string & { [hrefBrand]: true }

export const hrefTo = <P extends Path>(to: P, search?: SearchOf<P>) => (to + stringifySearch({ ...search })) as Href
