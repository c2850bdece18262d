import { z } from 'zod'
import { type Call, type CallDefinition, defineCall } from './call.ts'

/** The parameters by which lists page. An export has none of them: it takes all rows. */
const paging = ['page', 'limit', 'before', 'pageToken']

interface Options {
  /** The export's path. Default: the list's path with `/export`. */
  path?: `/api/${string}`
  /** Filters of a list that takes them in its body, as query parameters. */
  filters?: z.ZodRawShape
}

/** The call that exports one list. */
export type ExportCall<L extends CallDefinition = CallDefinition> = Call<
  CallDefinition & { method: 'GET'; replyType: 'stream'; exports: { list: L; file: string } }
>

const withoutPaging = (query: z.ZodObject) =>
  z.strictObject(Object.fromEntries(Object.entries(query.shape).filter(([name]) => !paging.includes(name))))

/**
 * The call that downloads everything a list shows as CSV: the list's filters and order, its permission and refusals.
 * `file` is the name of the file without its date.
 */
/* @__NO_SIDE_EFFECTS__ */
export function exportCall<L extends CallDefinition>(
  list: L,
  file: string,
  { path, filters }: Options = {},
): ExportCall<L> {
  const query = filters ? z.strictObject(filters) : list.query instanceof z.ZodObject && withoutPaging(list.query)
  return defineCall({
    method: 'GET',
    path: path ?? `${list.path.replace(/\/list$/, '') as `/${string}`}/export`,
    summary: `Export ${file.replaceAll('-', ' ')} as CSV`,
    permission: list.permission,
    ...(list.params && { params: list.params }),
    ...(query && { query }),
    reply: z.unknown(),
    replyType: 'stream',
    ...(list.refusals && { refusals: list.refusals }),
    exports: { list, file },
  }) as ExportCall<L>
}
