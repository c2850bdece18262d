import type { Timeframe } from '@limber/contract/analytics/events/event.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import {
  type ErrorGroup,
  handleErrorGroup,
  MAX_PEOPLE,
  reopenErrorGroup,
} from '@limber/contract/tech/errors/error-log.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Sparkline } from '#ui/charts/sparkline.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { AreaField } from '#ui/form/fields.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { stateMeaning, stateText, timeframeTexts, timesText } from '../labels.ts'
import styles from '../tech.module.css'
import { errorGroupQuery, useHandleError, useReopenError } from './error-log.api.ts'
import { Occurrences } from './error-occurrences.tsx'
import { sourceLabels } from './error-title.tsx'

function HandledBanner({ group: { state, handled, reopenedAt, timesReopened } }: { group: ErrorGroup }) {
  if (!handled) return null
  const who = handled.by ?? 'a worker'
  if (state === 'handled')
    return (
      <Banner kind="green">
        Handled by {who} on <Moment at={handled.at} />: {handled.note}
      </Banner>
    )
  return (
    <Banner kind="amber">
      Handled by {who} on <Moment at={handled.at} /> ({handled.note}),{' '}
      {timesReopened > 0 ? 'recurred on ' : 'reopened on '}
      <Moment at={reopenedAt} />.
    </Banner>
  )
}

function ErrorFacts({ group, timeframe }: { group: ErrorGroup; timeframe: Timeframe }) {
  const { newest } = group
  return (
    <>
      <HandledBanner group={group} />
      <Facts>
        <Facts.Row label="State">
          <StatusBadge meaning={stateMeaning(group)}>{stateText(group)}</StatusBadge>
        </Facts.Row>
        <Facts.Row label="Latest message">
          {newest.text ?? 'unknown'} {newest.code && <code className={styles.code}>{newest.code}</code>}
        </Facts.Row>
        {newest.cause && (
          <Facts.Row label="Cause">
            <code className={styles.code}>{newest.cause}</code>
          </Facts.Row>
        )}
        <Facts.Row label="Source">{sourceLabels[group.source]}</Facts.Row>
        <Facts.Row label={`In ${timeframeTexts[timeframe]}`}>
          <span className={styles.trend}>
            {timesText(group.count)},{' '}
            {group.people > MAX_PEOPLE
              ? `more than ${pluralize(MAX_PEOPLE, 'person', 'people')}`
              : pluralize(group.people, 'person', 'people')}
            <Sparkline values={group.trend} width={140} height={28} />
          </span>
        </Facts.Row>
        <Facts.Row label="All time">{timesText(group.total)}</Facts.Row>
        <Facts.Row label="First seen">
          <Moment at={group.firstSeen} />
        </Facts.Row>
        <Facts.Row label="Last seen">
          <Moment at={group.lastSeen} />
        </Facts.Row>
      </Facts>
    </>
  )
}

interface Props {
  id: number
  timeframe: Timeframe
  before: string
  onBefore: (before: string) => void
  onClose: () => void
}

/** One error group with its occurrences and the form to mark it as handled or reopen it. */
export function ErrorDetail({ id, timeframe, before, onBefore, onClose }: Props) {
  const query = useQuery(errorGroupQuery(id, timeframe))
  const [isAsking, setAsking] = useState(false)
  // Stays as it was when the form was opened, even if someone else changes the group.
  const [isHandling, setHandling] = useState(true)
  const handle = useHandleError(id)
  const reopen = useReopenError(id)
  const group = query.data
  const isOpen = group?.state === 'open'
  const foot = group && (
    <Button
      variant={isOpen ? 'filled' : 'default'}
      onClick={() => {
        setHandling(isOpen)
        setAsking(true)
      }}
    >
      {isOpen ? 'Mark as handled' : 'Reopen'}
    </Button>
  )
  return (
    <>
      <Dialog
        isOpen
        isSide
        onClose={onClose}
        title={group ? `${group.status} ${group.method} ${group.path}` : 'Error'}
        context="Failed calls with the same path and status"
        size={640}
        foot={foot}
      >
        <QueryView query={query} loading={<TextSkeleton lines={10} />} failure="Couldn't load this error group">
          {(loaded) => (
            <>
              <ErrorFacts group={loaded} timeframe={timeframe} />
              <Occurrences id={id} before={before} onBefore={onBefore} />
            </>
          )}
        </QueryView>
      </Dialog>
      {group && (
        <FormDialog
          isOpen={isAsking}
          onClose={() => setAsking(false)}
          title={isHandling ? 'Mark as handled?' : 'Reopen?'}
          context={
            isHandling
              ? 'It reopens automatically when the same failure happens again.'
              : 'It is listed as open until someone marks it as handled.'
          }
          submit={isHandling ? 'Mark as handled' : 'Reopen'}
          schema={isHandling ? handleErrorGroup.body : reopenErrorGroup.body}
          fixed={{ version: group.version }}
          mutation={isHandling ? handle : reopen}
          onDone={() => toast(isHandling ? 'Marked as handled.' : 'Reopened.')}
        >
          <AreaField
            label="Note"
            name="note"
            rows={3}
            hint="What was done about it. Shown here and saved in the audit log."
          />
        </FormDialog>
      )}
    </>
  )
}
