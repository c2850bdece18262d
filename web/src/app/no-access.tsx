import { permissionLabel } from '@limber/contract/access/permission-labels.ts'
import { IconLock } from '@tabler/icons-react'
import { useTitle } from '#platform/routing/title.ts'
import type { Needs } from '#platform/session/session.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'

/** Shown for a section that this worker has no permission for. */
export default function NoAccess({ needs }: { needs: Needs }) {
  useTitle('No access')
  const names = needs === 'signed-in' ? [] : typeof needs === 'string' ? [needs] : needs
  return (
    <EmptyState icon={IconLock} title="You do not have access to this section" as="h1">
      {names.length > 0 && <>Required permission: {names.map(permissionLabel).join(' or ')}.</>}
    </EmptyState>
  )
}
