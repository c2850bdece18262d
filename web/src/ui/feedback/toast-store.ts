import { messageOf, onMutationSuccess } from '#platform/api/api.ts'
import { CallFailure } from '#platform/api/call-failure.ts'

export interface ToastAction {
  label: string
  run: () => void
}

export interface Toast {
  id: number
  kind: 'status' | 'alert'
  text: string
  detail?: string
  action?: ToastAction
  /** In milliseconds; five seconds by default. */
  duration?: number
  /** The records that the action is about. It is withdrawn when one of them changes again. */
  records?: readonly string[]
  /** The change that failed. */
  request?: string | undefined
}

const MAX_SHOWN = 4

let toasts: readonly Toast[] = []
let lastId = 0
const watchers = new Set<() => void>()

function set(next: readonly Toast[]): void {
  toasts = next
  for (const watcher of watchers) watcher()
}

function add(toast: Omit<Toast, 'id'>): number {
  lastId += 1
  // A repeated message replaces the earlier toast.
  const others = toasts.filter(
    (one) => one.kind !== toast.kind || one.text !== toast.text || one.detail !== toast.detail,
  )
  set([...others, { ...toast, id: lastId }].slice(-MAX_SHOWN))
  return lastId
}

export const watchToasts = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
export const currentToasts = () => toasts
export const dismiss = (id: number) => set(toasts.filter((toast) => toast.id !== id))
export const dismissAll = () => set([])

const withoutAction = ({ action, ...rest }: Toast): Toast => rest

onMutationSuccess((request, records) => {
  const isOutdated = ({ records: about }: Toast) => about?.some((record) => records.includes(record)) ?? false
  if (!toasts.some((one) => one.request === request || isOutdated(one))) return
  // The failure toast goes once the same request succeeds.
  const others = toasts.filter((one) => one.request !== request)
  set(others.map((one) => (isOutdated(one) ? withoutAction(one) : one)))
})

type Extra = Pick<Toast, 'detail' | 'action' | 'duration' | 'records'>

/** Shows a success message that disappears after five seconds by default. */
export const toast = (text: string, extra: Extra = {}) => add({ kind: 'status', text, ...extra })

/** Shows a failure with the server's message, if any. It stays until dismissed or until a retry succeeds. */
export function toastFailure(text: string, error?: unknown, extra: Extra = {}): number {
  const detail = extra.detail ?? (error === undefined ? undefined : messageOf(error))
  const request = error instanceof CallFailure ? error.request : undefined
  return add({ kind: 'alert', text, request, ...extra, ...(detail && detail !== text ? { detail } : {}) })
}
