import { useBlocker } from '@tanstack/react-router'
import { confirm } from './confirm.ts'

/** Asks before a screen with unsaved words is left, by a link or by closing the tab. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: isDirty,
    shouldBlockFn: async ({ current, next }) => {
      // Filters and selections in the URL leave nothing behind.
      if (current.pathname === next.pathname) return false
      return !(await confirm({
        title: 'Leave without saving?',
        body: 'What you typed here will be lost.',
        action: 'Leave',
        cancel: 'Stay',
        isDestructive: true,
      }))
    },
  })
  return null
}
