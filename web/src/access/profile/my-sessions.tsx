import type { SignedInSession } from '@limber/contract/access/profile/profile.ts'
import { Button } from '@mantine/core'
import { confirm } from '#ui/dialog/confirm.ts'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { Moment } from '#ui/format/moment.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { browserName } from './browser-name.ts'
import { Entry, EntryList } from './entry-list.tsx'
import { useEndSessions, useSignOutEverywhere } from './profile.api.ts'

export function MySessions({ sessions }: { sessions: readonly SignedInSession[] }) {
  const end = useEndSessions()
  const signOut = useSignOutEverywhere()
  const others = sessions.filter((session) => !session.isCurrent).map(({ id }) => id)

  const endAll = (ids: readonly number[]) =>
    void end.mutateAsync(ids).then(
      () => toast(ids.length > 1 ? `${ids.length} sessions ended.` : 'Session ended.'),
      (error: unknown) => toastFailure("Couldn't end every session", error),
    )
  const confirmSignOut = async () => {
    const question = {
      title: 'Sign out everywhere?',
      body: 'You will be signed out of every browser, including this one.',
      action: 'Sign out everywhere',
      isDestructive: true,
    }
    if (await confirm(question))
      void signOut.mutateAsync().catch((error: unknown) => toastFailure("Couldn't sign out everywhere", error))
  }
  const actions = (
    <>
      {others.length > 0 && (
        <Button variant="default" size="xs" disabled={end.isPending} onClick={() => endAll(others)}>
          End other sessions
        </Button>
      )}
      <Button variant="default" size="xs" loading={signOut.isPending} onClick={() => void confirmSignOut()}>
        Sign out everywhere
      </Button>
    </>
  )
  return (
    <SectionCard title="Sessions" count={sessions.length} isFlush actions={actions}>
      <EntryList label="Sessions">
        {sessions.map(({ id, browser, address, createdAt, lastSeenAt, isCurrent }) => (
          <Entry
            key={id}
            title={
              <>
                {browserName(browser)}
                {isCurrent && <StatusBadge meaning="teal">Current</StatusBadge>}
              </>
            }
            actions={
              !isCurrent && (
                <Button variant="default" size="xs" disabled={end.isPending} onClick={() => endAll([id])}>
                  End
                </Button>
              )
            }
          >
            Signed in <Moment at={createdAt} />, last seen <Moment at={lastSeenAt} form="relative" />
            {address && `, from ${address}`}
          </Entry>
        ))}
      </EntryList>
    </SectionCard>
  )
}
