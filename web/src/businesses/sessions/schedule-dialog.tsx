import type { PrepaidBlock } from '@limber/contract/businesses/blocks/block.ts'
import type { Business } from '@limber/contract/businesses/business/business.ts'
import { formatDay } from '@limber/contract/kit/formats/dates.ts'
import { holidayOn } from '@limber/contract/kit/holidays.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { now } from '#platform/clock.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { BlockSkeleton } from '#ui/feedback/skeleton.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { candidatesQuery, useActivate } from '../blocks/block.api.ts'
import { attempt } from '../business/attempt.ts'
import { blockText } from '../labels.ts'
import { NotifyChoice } from './notify-choice.tsx'
import styles from './session.module.css'
import { StartField } from './start-field.tsx'
import { entryOf, readStart } from './start-time.ts'
import { StretcherChoice } from './stretcher-choice.tsx'
import { useStartEntry } from './use-start-entry.ts'

interface Props {
  business: Pick<Business, 'name' | 'admin_email' | 'time_zone' | 'zone_name'>
  block: Pick<PrepaidBlock, 'id' | 'internal_label' | 'block_hours' | 'slot_length_minutes'>
  /** Default: the next five minutes. */
  start?: Date
  onClose: () => void
}

/** Schedules the session of a block, with the first stretcher who is free. */
export function ScheduleDialog({ business, block, start, onClose }: Props) {
  const { time_zone: zone, zone_name } = business
  const [entry, setEntry] = useStartEntry(zone, start)
  const [picked, setPicked] = useState<number>()
  const [notify, setNotify] = useState({ stretcher: true, business: true })
  const reading = readStart(entry, zone)
  const day = entry.field.slice(0, 10)
  const holiday = reading.at && holidayOn(day)
  const query = useQuery(candidatesQuery(block.id, reading.at))
  const activate = useActivate()

  const candidates = query.data?.candidates
  const isEmpty = candidates?.length === 0
  const told = useRef(false)
  useEffect(() => {
    if (!isEmpty || told.current) return
    told.current = true
    toastFailure('No stretchers available for this zone.')
    onClose()
  }, [isEmpty, onClose])
  if (isEmpty) return null

  const able = candidates?.filter(({ state }) => state === 'free' || state === 'busy')
  const chosen = able?.find(({ id }) => id === picked) ?? able?.[0]
  const schedule = () => {
    if (!chosen || !reading.at) return
    const starts_at = reading.at.toISOString()
    const body = { prepaid_block_id: block.id, stretcher_id: chosen.id, starts_at, notify }
    void attempt(activate.mutateAsync(body), () => {
      toast('Session scheduled!')
      onClose()
    })
  }
  const foot = (
    <>
      <Button variant="default" onClick={onClose}>
        Close
      </Button>
      <Button
        loading={activate.isPending}
        disabled={!reading.at || !chosen || chosen.state !== 'free'}
        onClick={schedule}
      >
        Schedule
      </Button>
    </>
  )
  const context = `${business.name} · ${block.internal_label || `Block ${block.id}`} · ${blockText(block.block_hours, block.slot_length_minutes)}`
  return (
    <Dialog isOpen onClose={onClose} title="Schedule session" context={context} size={520} foot={foot}>
      <QueryView query={query} loading={<BlockSkeleton height={160} />} failure="Couldn't load stretchers">
        {(list) => (
          <StretcherChoice
            list={list}
            chosen={chosen?.id}
            onChoose={setPicked}
            onStart={(at) => setEntry(entryOf(at, zone))}
          />
        )}
      </QueryView>
      <StartField
        entry={entry}
        reading={reading}
        hours={block.block_hours}
        zone={zone}
        zoneName={zone_name}
        onChange={setEntry}
      />
      {holiday && (
        <Banner kind="amber">
          {formatDay(day, { now: now() })} is a {holiday.kind} holiday ({holiday.name}). The business may be closed.
        </Banner>
      )}
      {able && chosen?.state !== 'free' && (
        <p className={styles.muted}>
          {chosen
            ? `${chosen.name} is busy at that time. Select a free stretcher or another start time.`
            : 'No stretcher in this zone is ready. Stretchers in training or without a certification cannot take sessions.'}
        </p>
      )}
      <NotifyChoice
        value={notify}
        stretcher={chosen?.name ?? 'The stretcher'}
        business={business.admin_email}
        onChange={setNotify}
      />
    </Dialog>
  )
}
