import { companyDay, companyZone } from '@limber/contract/kit/company.ts'
import { Instant } from '@limber/contract/kit/values.ts'
import { momentsFromInput } from '@limber/contract/kit/zone-time.ts'
import type { TicketDetail } from '@limber/contract/support/tickets/ticket.ts'
import { IconAlarm, IconBellRinging, IconCalendar, IconMessage } from '@tabler/icons-react'
import { useState } from 'react'
import { z } from 'zod'
import { now } from '#platform/clock.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { MenuChoice } from '#ui/dialog/menu-choice.tsx'
import { OpenMenu } from '#ui/dialog/open-menu.tsx'
import { toastFailure } from '#ui/feedback/toast-store.ts'
import { InstantField } from '#ui/form/instant-field.tsx'
import { momentText } from '#ui/format/moment-text.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { useChangeTicket } from '../ticket-change.api.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** 9 AM in the company's time zone, some days from now. */
function morningIn(days: number, from: Date): Date {
  const day = companyDay(new Date(from.getTime() + days * DAY))
  return momentsFromInput(`${day}T09:00`, companyZone())?.[0] ?? new Date(from.getTime() + days * DAY)
}

const Time = z.strictObject({ until: Instant })

interface Props {
  ticket: TicketDetail
}

/** Takes a ticket out of the queues until a time, or until the customer writes. */
export default function SnoozeMenu({ ticket: { id, snoozed } }: Props) {
  const change = useChangeTicket(id)
  const [isPicking, setPicking] = useState(false)
  const at = now()
  const snooze = async (until: string | null) => {
    const reply = await change.mutateAsync({ snooze: { until } })
    toastUndo(until ? `Snoozed until ${momentText(until, 'moment')}.` : 'Snoozed until the customer replies.', reply)
  }
  const end = async () => toastUndo('Snooze ended.', await change.mutateAsync({ snooze: null }))
  const run = (done: Promise<unknown>) =>
    void done.catch((error: unknown) => toastFailure("Couldn't snooze the ticket", error))
  const times = [
    { label: 'In 3 hours', until: new Date(at.getTime() + 3 * HOUR) },
    { label: 'Tomorrow, 9:00 AM', until: morningIn(1, at) },
    { label: 'In a week, 9:00 AM', until: morningIn(7, at) },
  ]
  return (
    <>
      <OpenMenu position="bottom-end">
        {snoozed && (
          <MenuChoice leftSection={<Icon of={IconBellRinging} />} onClick={() => run(end())}>
            End snooze
          </MenuChoice>
        )}
        <MenuChoice leftSection={<Icon of={IconMessage} />} onClick={() => run(snooze(null))}>
          Until the customer replies
        </MenuChoice>
        {times.map(({ label, until }) => (
          <MenuChoice
            key={label}
            leftSection={<Icon of={IconAlarm} />}
            onClick={() => run(snooze(until.toISOString()))}
          >
            {label}
          </MenuChoice>
        ))}
        <MenuChoice leftSection={<Icon of={IconCalendar} />} onClick={() => setPicking(true)}>
          Pick a time…
        </MenuChoice>
      </OpenMenu>
      <FormDialog
        isOpen={isPicking}
        onClose={() => setPicking(false)}
        title={`Snooze ticket #${id}`}
        context="It returns to its queues at this time, or when the customer writes."
        submit="Snooze"
        size={400}
        schema={Time}
        mutation={{ mutateAsync: ({ until }) => snooze(until) }}
        initial={{ until: morningIn(1, at).toISOString() }}
      >
        <InstantField name="until" label="Until" />
      </FormDialog>
    </>
  )
}
