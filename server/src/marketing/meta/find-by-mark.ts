import { z } from 'zod'
import { type Graph, MetaFailure } from './meta-graph.ts'

const text = z.union([z.string(), z.number()]).transform(String)
const Made = z.object({ id: text.pipe(z.string().regex(/^\d{1,30}$/)) })
const Page = z.object({
  data: z.array(z.object({ id: text, name: z.string().default('') })),
  paging: z.object({ cursors: z.object({ after: z.string() }).optional(), next: z.string().optional() }).optional(),
})

const MAX_PAGES = 20

/** The id of a created object. */
export function idOf(reply: unknown): string {
  const read = Made.safeParse(reply)
  if (!read.success) throw new MetaFailure('transient', 'The reply from Meta has no ID.')
  return read.data.id
}

/** Finds an object with our mark whose creation reply was lost. Meta lists the newest first. */
export async function findByMark(graph: Pick<Graph, 'get'>, edge: string, mark: string): Promise<string | undefined> {
  const canFilter = /\/(campaigns|adsets|ads)$/.test(edge)
  const filtering = JSON.stringify([{ field: 'name', operator: 'CONTAIN', value: mark }])
  let after: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const parameters = { fields: 'id,name', limit: '100', ...(canFilter && { filtering }), ...(after && { after }) }
    const read = Page.safeParse(await graph.get(edge, parameters))
    if (!read.success) throw new MetaFailure('transient', 'The reply from Meta is not a list.')
    const found = read.data.data.find(({ name }) => name.endsWith(`[${mark}]`))
    if (found) return found.id
    after = read.data.paging?.next ? read.data.paging.cursors?.after : undefined
    if (!after) return undefined
  }
  return undefined
}
