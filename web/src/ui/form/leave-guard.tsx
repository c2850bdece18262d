import { useBlocker } from '@tanstack/react-router'
import { confirm } from '../dialog/confirm.ts'

let asked: Promise<boolean> | undefined

/** Several forms on one screen ask only once. */
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
  /** The search parameter of the edited record, such as 'business'. Selecting another record counts as leaving. */
  record?: string | undefined
}

/** Asks before leaving a screen with unsaved changes, by a link or by closing the tab. */
export function LeaveGuard({ isDirty, record }: Props) {
  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: isDirty,
    shouldBlockFn: async ({ current, next }) => {
      const recordOf = ({ search }: { search: Record<string, unknown> }) => record && String(search[record] ?? '')
      // Changing filters in the URL loses nothing.
      if (current.pathname === next.pathname && recordOf(current) === recordOf(next)) return false
      return !(await mayLeave())
    },
  })
  return null
}
