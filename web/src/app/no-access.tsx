import { wordsOf } from '@limber/contract/access/permission-words.ts'
import { IconLock } from '@tabler/icons-react'
import { useTitle } from '#platform/routing/title.ts'
import type { Needs } from '#platform/session/session.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'

/** A section that exists, but not for this worker. */
export function NoAccess({ needs }: { needs: Needs }) {
  useTitle('Not open to you')
  const names = needs === 'signed-in' ? [] : typeof needs === 'string' ? [needs] : needs
  return (
    <EmptyState icon={IconLock} title="This section is not open to you" as="h1">
      {names.length > 0 && <>It asks for: {names.map(wordsOf).join(', or: ')}.</>}
    </EmptyState>
  )
}
