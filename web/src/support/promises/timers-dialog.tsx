import { formatMinutes } from '@limber/contract/kit/formats/numbers.ts'
import type { TicketPromise } from '@limber/contract/support/promises/promise.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { type Meaning, StatusDot } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { PlainTable } from '#ui/table/plain-table.tsx'
import { reasonText } from './due-text.ts'

const states: Record<TicketPromise['state'], { label: string; meaning: Meaning }> = {
  running: { label: 'Running', meaning: 'amber' },
  paused: { label: 'Paused', meaning: 'plain' },
  kept: { label: 'Kept', meaning: 'green' },
  missed: { label: 'Missed', meaning: 'red' },
  unanswered: { label: 'Closed without a response', meaning: 'plain' },
}

const kinds = { first: 'First response', next: 'Next response' }

/** Every promise of a ticket, as computed from its thread. */
export function TimersDialog({ promises, onClose }: { promises: readonly TicketPromise[]; onClose: () => void }) {
  return (
    <Dialog isOpen onClose={onClose} title="Timers" size={640}>
      <PlainTable label="Timers" isFramed>
        <thead>
          <tr>
            <th>Promise</th>
            <th>Customer wrote</th>
            <th>Due</th>
            <th>Business time</th>
            <th>Result</th>
          </tr>
        </thead>
        <tbody>
          {promises.map((promise) => (
            <tr key={promise.startedAt}>
              <td title={reasonText(promise)}>{kinds[promise.kind]}</td>
              <td>
                <Moment at={promise.startedAt} />
              </td>
              <td>
                <Moment at={promise.dueAt} />
              </td>
              <td>
                {promise.tookMinutes === null ? '--' : formatMinutes(promise.tookMinutes)} of{' '}
                {formatMinutes(promise.targetMinutes)}
              </td>
              <td>
                <StatusDot meaning={states[promise.state].meaning}>{states[promise.state].label}</StatusDot>
              </td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </Dialog>
  )
}
