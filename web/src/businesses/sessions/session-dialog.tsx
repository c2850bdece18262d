import type { SessionDetail } from '@limber/contract/businesses/sessions/onsite.ts'
import { readBareMoment } from '@limber/contract/kit/zone-time.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { now } from '#platform/clock.ts'
import { StretcherLink } from '#platform/routing/stretcher-link.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { FailureView } from '#ui/feedback/failure-view.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { BlockSkeleton } from '#ui/feedback/skeleton.tsx'
import { HistoryButton } from '#ui/history/history-button.tsx'
import { cx } from '#ui/layout/class-names.ts'
import { candidatesQuery, sessionQuery } from '../blocks/block.api.ts'
import { blockText, canMarkNotHeld, outcomeOf, peopleOf, sessionInZone, sessionLabels } from '../labels.ts'
import { CancelSession } from './cancel-session.tsx'
import { NotHeld } from './not-held.tsx'
import { type Notify, NotifyChoice } from './notify-choice.tsx'
import styles from './session.module.css'
import { SessionConflict } from './session-conflict.tsx'
import { SlotList } from './slot-list.tsx'
import { StartField } from './start-field.tsx'
import { entryOf, readStart } from './start-time.ts'
import { StretcherChoice } from './stretcher-choice.tsx'
import { useSessionChanges } from './use-session-changes.ts'

interface Props {
  sessionId: number
  /** Another start to offer: where the session was dragged to. */
  start?: Date | undefined
  onClose: () => void
}

interface OpenProps extends Pick<Props, 'start'> {
  latest: SessionDetail
  /** Reloads the session. */
  read: () => Promise<SessionDetail | undefined>
  onClose: () => void
}

function OpenSession({ latest, start, read, onClose }: OpenProps) {
  // Changes by others do not change the form. They are shown on save.
  const [session, setSession] = useState(latest)
  const { time_zone: zone, zone_name, block_hours, state } = session
  const from = readBareMoment(session.starts_at)
  const [entry, setEntry] = useState(() => entryOf(start ?? from, zone))
  const [picked, setPicked] = useState(session.stretcher_id)
  const [notify, setNotify] = useState<Notify>({ stretcher: true, business: true, participants: true })
  const [isCanceling, setCanceling] = useState(false)
  const [isMarkingNotHeld, setMarkingNotHeld] = useState(false)
  const restart = async () => {
    const fresh = await read()
    if (!fresh) return
    setSession(fresh)
    setEntry(entryOf(readBareMoment(fresh.starts_at), fresh.time_zone))
    setPicked(fresh.stretcher_id)
  }
  const changes = useSessionChanges(session, notify, restart)
  const reading = readStart(entry, zone)
  const isOver = state !== 'scheduled'
  const query = useQuery(candidatesQuery(session.block_id ?? 0, isOver ? undefined : reading.at))
  const isMoved = reading.at !== undefined && reading.at.getTime() !== from.getTime()
  const chosen = query.data?.candidates.find(({ id }) => id === picked)
  const isOther = picked !== session.stretcher_id
  const outcome = outcomeOf(session)
  const isOut = chosen?.state === 'in_training' || chosen?.state === 'not_certified'
  const hint =
    isMoved && isOut
      ? `${chosen.name} is not ready at that time. Select another stretcher too.`
      : isMoved && isOther
        ? `Reschedule moves the session and assigns it to ${chosen?.name ?? 'the other stretcher'}.`
        : !isMoved && !isOther && 'Select another start time or stretcher to change the session.'

  const foot = (
    <>
      {!isOver && (
        <>
          <Button
            className={styles.button ?? ''}
            loading={changes.isMoving}
            disabled={!isMoved || isOut}
            onClick={() => reading.at && changes.make({ start: reading.at, ...(isOther && { stretcher: picked }) })}
          >
            Reschedule
          </Button>
          <Button
            className={styles.button ?? ''}
            variant="default"
            loading={changes.isReassigning}
            disabled={!isOther || isMoved}
            onClick={() => changes.make({ stretcher: picked })}
          >
            Change Stretcher
          </Button>
          <Button
            className={cx(styles.button, styles.first)}
            variant="default"
            c="var(--red-text)"
            onClick={() => setCanceling(true)}
          >
            Cancel session
          </Button>
        </>
      )}
      {canMarkNotHeld(session, now()) && (
        <Button
          className={cx(styles.button, styles.first)}
          variant="default"
          c="var(--red-text)"
          onClick={() => setMarkingNotHeld(true)}
        >
          Mark as not held
        </Button>
      )}
      <HistoryButton isInDialog record={{ kind: 'onsite_session', id: session.id }} />
      <Button className={styles.button ?? ''} variant="default" onClick={onClose}>
        Close
      </Button>
    </>
  )
  const label = session.internal_label || (session.block_id === null ? 'Deleted block' : `Block ${session.block_id}`)
  const context = `${session.business_name} · ${label} · ${blockText(block_hours, session.slot_length_minutes)}`
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`${state === 'delivered' || state === 'cancelled' ? sessionLabels[state][1] : 'Scheduled'} Session`}
      context={context}
      size={520}
      foot={foot}
    >
      {isOver ? (
        <Banner kind={state === 'delivered' ? 'green' : 'plain'}>
          {outcome}: {sessionInZone(session, zone, now())}, with{' '}
          <StretcherLink id={session.stretcher_id} className={styles.way}>
            {session.stretcher_name}
          </StretcherLink>
          .{session.cancel_reason && ` Reason: ${session.cancel_reason}`}
        </Banner>
      ) : (
        <>
          <QueryView query={query} loading={<BlockSkeleton height={160} />} failure="Couldn't load stretchers">
            {(list) => (
              <StretcherChoice
                list={list}
                chosen={picked}
                onChoose={setPicked}
                onStart={(at) => setEntry(entryOf(at, zone))}
              />
            )}
          </QueryView>
          <StartField
            entry={entry}
            reading={reading}
            hours={block_hours}
            zone={zone}
            zoneName={zone_name}
            onChange={setEntry}
          />
          {hint && <p className={styles.muted}>{hint}</p>}
          <NotifyChoice
            value={notify}
            stretcher={chosen?.name ?? session.stretcher_name}
            business={session.admin_email}
            people={peopleOf(session)}
            onChange={setNotify}
          />
        </>
      )}
      <SlotList session={session} />
      {isCanceling && (
        <CancelSession session={session} notify={notify} onClose={() => setCanceling(false)} onDone={onClose} />
      )}
      {isMarkingNotHeld && <NotHeld session={session} onClose={() => setMarkingNotHeld(false)} onDone={onClose} />}
      {changes.theirs && (
        <SessionConflict
          session={session}
          theirs={changes.theirs}
          start={reading.at}
          stretcher={isOther ? chosen?.name : undefined}
          onMine={changes.overwrite}
          onTheirs={() => {
            changes.dismiss()
            void restart()
          }}
          onClose={changes.dismiss}
        />
      )}
    </Dialog>
  )
}

/** A session: time, stretcher, participants, and the actions to change it while it is upcoming. */
export function SessionDialog({ sessionId, start, onClose }: Props) {
  const query = useQuery(sessionQuery(sessionId))
  if (query.data)
    return (
      <OpenSession
        latest={query.data}
        start={start}
        read={async () => (await query.refetch()).data}
        onClose={onClose}
      />
    )
  if (!query.isError) return null
  return (
    <Dialog isOpen onClose={onClose} title="Scheduled Session" size={520}>
      <FailureView error={query.error} title="Couldn't load this session" onRetry={() => void query.refetch()} />
    </Dialog>
  )
}
