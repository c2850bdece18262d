import { companyDay } from '@limber/contract/kit/company.ts'
import { formatDayRange } from '@limber/contract/kit/formats/dates.ts'
import { formatList, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { Absence, Assignment, RoundRobin } from '@limber/contract/support/assignment/assignment.ts'
import { ActionIcon, Button, Switch } from '@mantine/core'
import { IconBeach, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useThrottledRefresh } from '#platform/api/throttled-refresh.ts'
import { now } from '#platform/clock.ts'
import { useLiveRefresh } from '#platform/live/live.ts'
import { useCan, useSession } from '#platform/session/session.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { ListSkeleton } from '#ui/feedback/skeleton.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { HistoryButton } from '#ui/history/history-button.tsx'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import {
  assignmentKey,
  assignmentQuery,
  useCreateAbsence,
  useEndAbsence,
  useTakesNew,
  useTakesOnReply,
} from './assignment.api.ts'
import styles from './assignment.module.css'
import { absenceText, presenceOf, queueName } from './assignment-labels.ts'

const RoundRobinForm = lazy(() => import('./round-robin-form.tsx'))
const AbsenceForm = lazy(() => import('./absence-form.tsx'))

const REFRESH_EVERY = 5_000

function Switches({ takesNew, takesOnReply }: Assignment) {
  const mayManage = useCan('notifications.send')
  const taking = useTakesNew()
  const replying = useTakesOnReply()
  const fail = (error: unknown) => toastFailure("Couldn't change this", error)
  const setReplying = (isOn: boolean) =>
    void replying
      .mutateAsync(isOn)
      .then(
        (reply) => toastUndo(isOn ? 'Replies assign unassigned tickets.' : 'Replies no longer assign tickets.', reply),
        fail,
      )
  return (
    <div className={styles.switches}>
      <Switch
        label="Take new tickets"
        description="While this is off, round robin skips you. Your own tickets stay with you."
        checked={taking.isPending ? taking.variables : takesNew}
        onChange={({ currentTarget }) => void taking.mutateAsync(currentTarget.checked).catch(fail)}
      />
      <Switch
        label="Assign unassigned tickets to whoever replies"
        description={
          mayManage ? 'For everyone. While this is off, it is offered after sending.' : 'Your team lead decides this.'
        }
        disabled={!mayManage}
        checked={replying.isPending ? replying.variables : takesOnReply}
        onChange={({ currentTarget }) => setReplying(currentTarget.checked)}
      />
    </div>
  )
}

function QueueRow({ queue, onEdit }: { queue: RoundRobin; onEdit: (() => void) | undefined }) {
  const { isOn, members, maxOpen } = queue
  const name = queueName(queue)
  return (
    <li className={styles.row}>
      <div>
        <p className={styles.title}>{name}</p>
        <p className={styles.meta}>
          {members.length === 0
            ? 'No one takes part'
            : `${formatList(members.map((member) => member.name))}, up to ${pluralize(maxOpen, 'open ticket')} each`}
        </p>
      </div>
      <StatusDot meaning={isOn ? 'green' : 'plain'}>{isOn ? 'On' : 'Off'}</StatusDot>
      {onEdit ? (
        <ActionIcon size={32} aria-label={`Edit round robin of ${name}`} onClick={onEdit}>
          <Icon of={IconPencil} />
        </ActionIcon>
      ) : (
        <span />
      )}
    </li>
  )
}

function AbsenceRow({ absence }: { absence: Absence }) {
  const { workerId } = useSession()
  const mayManage = useCan('notifications.send')
  const end = useEndAbsence()
  const create = useCreateAbsence()
  const { id, worker, startsOn, endsOn, substitute, handsOver } = absence
  const at = now()
  const restore = () =>
    void create
      .mutateAsync({ workerId: worker.id, startsOn, endsOn, handsOver, substituteId: substitute?.id ?? null })
      .catch((error: unknown) => toastFailure("Couldn't restore these days", error))
  const remove = () =>
    void end.mutateAsync(id).then(
      () =>
        toast(`${worker.name} is not out of office.`, { action: { label: 'Undo', run: restore }, duration: 10_000 }),
      (error: unknown) => toastFailure("Couldn't cancel these days", error),
    )
  return (
    <li className={styles.row}>
      <div>
        <p className={styles.title}>{worker.name}</p>
        <p className={styles.meta}>{absenceText(absence, at)}</p>
      </div>
      <span className={styles.open}>{formatDayRange(startsOn, endsOn, { now: at })}</span>
      {mayManage || worker.id === workerId ? (
        <ActionIcon
          size={32}
          aria-label={
            companyDay(at) < startsOn ? `Cancel the days of ${worker.name}` : `End the absence of ${worker.name}`
          }
          disabled={end.isPending}
          onClick={remove}
        >
          <Icon of={IconTrash} />
        </ActionIcon>
      ) : (
        <span />
      )}
    </li>
  )
}

function Cards({ assignment, onLayer }: { assignment: Assignment; onLayer: (layer: 'absence' | RoundRobin) => void }) {
  const mayManage = useCan('notifications.send')
  const { roundRobins, absences, workers } = assignment
  const add = (
    <Button variant="default" leftSection={<Icon of={IconPlus} />} onClick={() => onLayer('absence')}>
      Add days
    </Button>
  )
  return (
    <div className={styles.cards}>
      <SectionCard>
        <Switches {...assignment} />
      </SectionCard>
      <SectionCard title="Round robin" isFlush hasLine>
        <ul className={styles.rows}>
          {roundRobins.map((queue) => (
            <QueueRow key={queue.view?.id ?? 0} queue={queue} onEdit={mayManage ? () => onLayer(queue) : undefined} />
          ))}
        </ul>
      </SectionCard>
      <SectionCard title="Out of office" actions={add} isFlush hasLine>
        {absences.length === 0 ? (
          <EmptyState icon={IconBeach} title="No one is out of office">
            Add days off and who takes over.
          </EmptyState>
        ) : (
          <ul className={styles.rows}>
            {absences.map((absence) => (
              <AbsenceRow key={absence.id} absence={absence} />
            ))}
          </ul>
        )}
      </SectionCard>
      <SectionCard title="Team" count={workers.length} isFlush hasLine>
        <ul className={styles.rows}>
          {workers.map((worker) => {
            const { label, meaning } = presenceOf(worker)
            return (
              <li key={worker.id} className={`${styles.row} ${styles.person}`}>
                <p className={styles.title}>{worker.name}</p>
                <span className={styles.open}>{pluralize(worker.open, 'open ticket')}</span>
                <StatusDot meaning={meaning}>{label}</StatusDot>
              </li>
            )
          })}
        </ul>
      </SectionCard>
    </div>
  )
}

/** Who gets new tickets, and who is out of office. */
export default function AssignmentScreen() {
  useLiveRefresh('assignment', assignmentKey)
  useThrottledRefresh('tickets', assignmentKey, REFRESH_EVERY)
  const query = useQuery(assignmentQuery)
  const [layer, setLayer] = useState<'absence' | RoundRobin>()
  const close = () => setLayer(undefined)
  const workers = query.data?.workers ?? []
  return (
    <>
      <PageHead title="Assignment" actions={<HistoryButton record={{ kind: 'assignment', id: 'one' }} />} isOneLine>
        Who gets new tickets, and who takes over.
      </PageHead>
      <QueryView
        query={query}
        failure="Couldn't load assignment"
        loading={<ListSkeleton rows={8} hasPicture={false} />}
      >
        {(assignment) => <Cards assignment={assignment} onLayer={setLayer} />}
      </QueryView>
      <Suspense>
        {layer === 'absence' && <AbsenceForm workers={workers} onClose={close} />}
        {layer !== undefined && layer !== 'absence' && (
          <RoundRobinForm queue={layer} workers={workers} onClose={close} />
        )}
      </Suspense>
    </>
  )
}
