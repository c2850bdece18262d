import type { Device } from '@limber/contract/access/profile/profile.ts'
import { Button } from '@mantine/core'
import { IconDevices } from '@tabler/icons-react'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { Moment } from '#ui/format/moment.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { Entry, EntryList } from './entry-list.tsx'
import { useForgetDevice } from './profile.api.ts'

/** Browsers that sign in without a device code. */
export function MyDevices({ devices }: { devices: readonly Device[] }) {
  const forget = useForgetDevice()
  return (
    <SectionCard title="Known browsers" count={devices.length} isFlush>
      {devices.length === 0 ? (
        <EmptyState icon={IconDevices} title="No known browsers">
          Each sign-in asks for a device code.
        </EmptyState>
      ) : (
        <EntryList label="Known browsers">
          {devices.map(({ id, label, lastUsedAt, expiresAt, isCurrent }) => (
            <Entry
              key={id}
              title={
                <>
                  {label}
                  {isCurrent && <StatusBadge meaning="teal">Current</StatusBadge>}
                </>
              }
              actions={
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`Forget ${label}`}
                  disabled={forget.isPending}
                  onClick={() =>
                    void forget.mutateAsync(id).then(
                      () => toast(`${label} was forgotten. Its next sign-in needs a device code.`),
                      (error: unknown) => toastFailure("Couldn't forget the browser", error),
                    )
                  }
                >
                  Forget
                </Button>
              }
            >
              Last used <Moment at={lastUsedAt} form="relative" />, known until <Moment at={expiresAt} form="day" />
            </Entry>
          ))}
        </EntryList>
      )}
    </SectionCard>
  )
}
