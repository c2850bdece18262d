import {
  type HistoryChange,
  type HistoryValue,
  listHistory,
  type RecordKind,
  restoreValue,
  undoChange,
} from '@limber/contract/access/history/history.ts'
import type { QueryOf } from '@limber/contract/kit/call.ts'
import type { LiveTopic } from '@limber/contract/kit/live.ts'
import { infiniteQueryOptions, keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { toast, toastFailure } from '../feedback/toast-store.ts'
import { toastUndo, UNDO_DURATION } from './undo-toast.ts'

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
  business: 'businesses',
  zone: 'businesses',
  schedule: 'automation',
  worker: 'access',
  prepaid_block: 'businesses',
  onsite_session: 'businesses',
  stretcher: 'stretchers',
  certification: 'certifications',
  certification_type: 'certifications',
  course: 'training',
  module: 'training',
  lesson: 'training',
  api_key: 'api-keys',
  limits: 'access',
  company: 'company',
  promises: 'promises',
  assignment: 'assignment',
  saved_reply: 'saved-replies',
  ticket_tag: 'tickets',
  payroll_settings: 'payroll.settings',
  city_task: 'growth',
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

type Restorable = HistoryValue & { restore: NonNullable<HistoryValue['restore']> }
export const isRestorable = (value: HistoryValue): value is Restorable => value.restore !== null

interface Restoring {
  change: number
  value: Restorable
}

const restore = ({ change, value: { field, restore: seen } }: Restoring) =>
  send(restoreValue, { params: { id: String(change) }, body: { field, now: seen.now } })

/** Restores the value before the worker's last change of a field. */
async function takeBack({ kind, id }: RecordRef, field: string) {
  const { changes } = await send(listHistory, { params: { kind, id: String(id) }, query: { limit: '10' } })
  for (const change of changes) {
    const value = change.values.find((one) => one.field === field)
    if (!value) continue
    if (change.by.kind !== 'you' || !isRestorable(value)) break
    return restore({ change: change.id, value })
  }
  throw new Error(`The last change of ${field} cannot be taken back`)
}

const MAX_DETAIL = 120
/** What a message has room for. Values that are too large, or none, have no words. */
const isShort = (words: string | null): words is string => words !== null && words.length <= MAX_DETAIL

/** Restores earlier values of a record, each with an undo in its message. */
export function useRestore(record: RecordRef) {
  const cache = useQueryClient()
  const refresh = () => cache.invalidateQueries({ queryKey: historyKey(record) })
  const fail = (error: unknown) => {
    toastFailure("Couldn't restore the value", error)
    void refresh()
  }
  const undo = (field: string) =>
    takeBack(record, field).then(({ label, value }) => {
      toast(isShort(value) ? `${label} is ${value} again` : 'Undone.')
      return refresh()
    }, fail)
  const { mutate, isPending } = useMutation({
    mutationFn: restore,
    onSuccess: ({ label, value }, { value: { field } }) => {
      toast(`${label} restored`, {
        ...(isShort(value) && { detail: value }),
        duration: UNDO_DURATION,
        action: { label: 'Undo', run: () => void undo(field) },
      })
      return refresh()
    },
    onError: fail,
  })
  const undoing = useMutation({
    mutationFn: (change: number) => send(undoChange, { body: { change } }),
    onSuccess: (reply) => {
      toastUndo('Undone.', reply)
      return refresh()
    },
    onError: fail,
  })
  /** Takes back the newest own change that is still the present state. */
  const undoLast = (changes: readonly HistoryChange[]) => {
    const last = changes.find(({ by }) => by.kind === 'you')
    for (const value of last?.values ?? [])
      if (last && isRestorable(value) && value.restore.isLatest) mutate({ change: last.id, value })
    if (last?.undo) undoing.mutate(last.id)
  }
  return { restore: mutate, undo: undoing.mutate, undoLast, isPending: isPending || undoing.isPending }
}
