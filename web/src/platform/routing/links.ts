import type { z } from 'zod'
import { stringifySearch } from './search.ts'

/** The screens that links lead to, with the schema of their search parameters. Each area adds its own in `area.ts`. */
export interface LinkTargets {
  '/': NoSearch
}

export type NoSearch = z.ZodObject<Record<never, never>>
export type Path = keyof LinkTargets

type Values<T> = { [K in keyof T]?: (string extends T[K] ? T[K] | number : T[K]) | null | undefined }
export type SearchOf<P extends Path> = Values<z.output<LinkTargets[P]>>

/** Where a link or `navigate` leads. A wrong path or parameter does not compile. */
export const linkTo = <P extends Path>(to: P, search?: SearchOf<P>) => ({ to: to as string, search: { ...search } })

/** Other search parameters on the screen that is shown; those that are not named stay. */
export const withSearch = <P extends Path>(search: SearchOf<P>) => ({
  to: '.',
  search: (before: object) => ({ ...before, ...search }),
  resetScroll: false,
})

declare const hrefBrand: unique symbol
/** A place as text; only `hrefTo` makes one. */
export type Href = string & { [hrefBrand]: true }

export const hrefTo = <P extends Path>(to: P, search?: SearchOf<P>) => (to + stringifySearch({ ...search })) as Href
