import { listHistory, type RecordKind } from '@limber/contract/access/history/history.ts'
import type { QueryOf } from '@limber/contract/kit/call.ts'
import type { LiveTopic } from '@limber/contract/kit/live.ts'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'

export interface RecordRef {
  kind: RecordKind
  id: number | string
}

export type By = QueryOf<typeof listHistory>['by']

/** What is published when a record changes. */
export const topicOf: Readonly<Record<RecordKind, LiveTopic>> = {
  customer: 'customers',
  ticket: 'tickets',
  lead: 'leads',
  campaign: 'campaigns',
}

export const historyKey = ({ kind, id }: RecordRef) => ['history', kind, String(id)]

/** The changes of a record, a page at a time. */
export const historyQuery = (record: RecordRef, by: By) =>
  infiniteQueryOptions({
    queryKey: [...historyKey(record), { by }],
    queryFn: ({ pageParam, signal }) =>
      send(
        listHistory,
        {
          params: { kind: record.kind, id: String(record.id) },
          query: { ...(by && { by }), ...(pageParam && { before: pageParam }) },
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
