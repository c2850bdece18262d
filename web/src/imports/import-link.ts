import type { Href } from '#platform/routing/links.ts'
import { linkTo, type SearchOf } from '#platform/routing/links.ts'

/** The target of a link to one import. */
export const linkToImport = (id: number, search?: SearchOf<'/worker/import/$id'>) => ({
  ...linkTo('/worker/import/$id', search),
  params: { id: String(id) },
})

export const hrefOf = (id: number) => `/worker/import/${id}` as Href
