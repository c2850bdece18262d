import { useMemo } from 'react'
import { z } from 'zod'
import { readPreference, savePreference } from '#platform/preferences.ts'
import { useSearchState } from '#platform/routing/search.ts'
import type { TurnPage } from './use-last-page.ts'

export const pageSizes = [10, 25, 50, 100] as const

export interface Sort {
  by: string
  isDown: boolean
}

export interface TableState {
  page: number
  limit: number
  sort: Sort | null
  setPage: TurnPage
  setLimit: (limit: number) => void
  setSort: (sort: Sort) => void
}

interface Options {
  limit?: number
  /** The default order: `created_at`, or `-created_at` for the newest first. */
  sort?: string
}

export const TableSearch = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
  rows: z.coerce.number().int().optional().catch(undefined),
  sort: z.string().max(60).catch(''),
})

const readSort = (text: string): Sort | null =>
  text ? { by: text.replace(/^-/, ''), isDown: text.startsWith('-') } : null

const isSize = (size: number) => (pageSizes as readonly number[]).includes(size)

/** Page and sort order of a table, kept in the URL. The page size is saved in the browser under the table's name. */
export function useTableState(name: string, { limit = 10, sort = '' }: Options = {}): TableState {
  const [search, change] = useSearchState(TableSearch)
  return useMemo(() => {
    const remembered = Number(readPreference(`rows.${name}`))
    const size = [search.rows ?? 0, remembered].find(isSize) ?? limit
    return {
      page: search.page,
      limit: size,
      sort: readSort(search.sort || sort),
      setPage: (page, how) => change({ page }, how),
      setLimit: (rows) => {
        savePreference(`rows.${name}`, String(rows))
        change({ page: 1, rows: undefined }, { replace: true })
      },
      setSort: ({ by, isDown }) => change({ page: 1, sort: isDown ? `-${by}` : by }),
    }
  }, [search, change, name, limit, sort])
}
