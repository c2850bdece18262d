import { useBlocker } from '@tanstack/react-router'
import { confirm } from '../dialog/confirm.ts'

let asked: Promise<boolean> | undefined

/** Several forms of one screen ask once. */
function mayLeave(): Promise<boolean> {
  asked ??= confirm({
    title: 'Leave without saving?',
    body: 'Your unsaved changes will be lost.',
    action: 'Leave',
    cancel: 'Stay',
    isDestructive: true,
  }).finally(() => {
    setTimeout(() => {
      asked = undefined
    })
  })
  return asked
}

interface Props {
  isDirty: boolean
  /** What the URL calls the record that is edited, as 'business': to choose another one is to leave. */
  record?: string | undefined
}

/** Asks before a screen with unsaved words is left, by a link or by closing the tab. */
export function LeaveGuard({ isDirty, record }: Props) {
  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: isDirty,
    shouldBlockFn: async ({ current, next }) => {
      const recordOf = ({ search }: { search: Record<string, unknown> }) => record && String(search[record] ?? '')
      // Filters in the URL leave nothing behind.
      if (current.pathname === next.pathname && recordOf(current) === recordOf(next)) return false
      return !(await mayLeave())
    },
  })
  return null
}
