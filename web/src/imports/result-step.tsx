import type { Import, ImportDetail } from '@limber/contract/imports/import.ts'
import { importKinds } from '@limber/contract/imports/import-kinds.ts'
import { formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { Button } from '@mantine/core'
import type { Icon as Drawn } from '@tabler/icons-react'
import { IconArrowBackUp, IconCalendarEvent, IconFileDownload, IconPlayerPlay } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { linkTo } from '#platform/routing/links.ts'
import { StatStrip } from '#ui/charts/stat-strip.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { toastFailure } from '#ui/feedback/toast-store.ts'
import { momentText } from '#ui/format/moment-text.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { readUndoPreview, useApply, useUndo } from './import.api.ts'
import { countText, openChanges, titleOf, tookText, undoText } from './import-labels.ts'
import type { ImportSearch } from './import-search.ts'
import styles from './result-step.module.css'
import { ImportRows } from './rows/import-rows.tsx'
import { RejectedButton } from './rows/rejected-button.tsx'
import { Wizard } from './wizard.tsx'

/** What became of it, in one sentence. */
function Summary({ one }: { one: Import }) {
  const { counts, state, resource } = one
  const applied = counts.created + counts.updated
  const planned = applied + counts.changed_since + openChanges(one)
  const said = `${formatInteger(applied)} of ${pluralize(planned, 'change')} were applied.`
  if (state === 'failed')
    return (
      <Banner kind="red">
        <b>{said}</b> {one.error}
      </Banner>
    )
  if (state === 'canceled')
    return (
      <Banner kind="amber">
        <b>Canceled. {said}</b> The rest can be applied later.
      </Banner>
    )
  if (state === 'undone')
    return (
      <Banner kind={counts.kept > 0 ? 'amber' : 'green'}>
        <b>Undone. {pluralize(counts.undone, 'row')} went back.</b>{' '}
        {counts.kept > 0 &&
          `${countText(counts.kept, resource)} changed after the import, so ${counts.kept === 1 ? 'it was' : 'they were'} kept.`}
      </Banner>
    )
  return (
    <Banner kind={counts.changed_since > 0 ? 'amber' : 'green'}>
      <b>{said}</b>{' '}
      {counts.changed_since > 0 &&
        `${countText(counts.changed_since, resource)} changed after the check, so ${counts.changed_since === 1 ? 'it was' : 'they were'} left as they are.`}
    </Banner>
  )
}

interface NextProps {
  icon: Drawn
  title: string
  note: string
  children: ReactNode
}

const NextItem = ({ icon, title, note, children }: NextProps) => (
  <li>
    <Icon of={icon} />
    <span>
      <b>{title}</b>
      <small>{note}</small>
    </span>
    {children}
  </li>
)

/** What can be done now: correct, continue, undo, import what belongs to it. */
function Next({ one }: { one: Import }) {
  const { counts, resource, undo_until } = one
  const undo = useUndo(one.id)
  const apply = useApply(one.id)
  const left = openChanges(one)
  const { many } = importKinds[resource]
  const effect = `Removes ${countText(counts.created, resource)} and restores ${formatInteger(counts.updated)}. ${many.slice(0, 1).toUpperCase()}${many.slice(1)} changed since are listed and kept.`
  const [isCounting, setCounting] = useState(false)
  const takeBack = async () => {
    setCounting(true)
    const preview = await readUndoPreview(one.id)
      .catch((error: unknown) => void toastFailure("Couldn't count what an undo changes", error))
      .finally(() => setCounting(false))
    if (!preview) return
    const isSure = await confirm({
      title: 'Undo this import?',
      body: undoText(preview, resource),
      action: 'Undo import',
      cancel: 'Keep it',
      isDestructive: true,
    })
    if (isSure)
      await undo.mutateAsync(undefined).catch((error: unknown) => toastFailure("Couldn't undo the import", error))
  }
  const goOn = () =>
    apply.mutateAsync(one.tells_people).catch((error: unknown) => toastFailure("Couldn't continue the import", error))
  const canContinue = left > 0 && one.file.is_kept && (one.state === 'canceled' || one.state === 'failed')
  return (
    <SectionCard title="Next" isFlush>
      <ul className={styles.next}>
        {canContinue && (
          <NextItem
            icon={IconPlayerPlay}
            title={`Apply the other ${pluralize(left, 'change')}`}
            note="Continues where it stopped. No row is written twice."
          >
            <Button variant="default" size="xs" loading={apply.isPending} onClick={() => void goOn()}>
              Continue
            </Button>
          </NextItem>
        )}
        {counts.rejected > 0 && one.file.is_kept && (
          <NextItem
            icon={IconFileDownload}
            title={`Fix the ${pluralize(counts.rejected, 'rejected row')}`}
            note="CSV with a reason column. Import it again: rows that went in stay unchanged."
          >
            <RejectedButton id={one.id} label="Download" />
          </NextItem>
        )}
        {undo_until && (
          <NextItem icon={IconArrowBackUp} title="Undo this import" note={`Until ${momentText(undo_until)}. ${effect}`}>
            <Button
              variant="default"
              size="xs"
              c="var(--red-text)"
              loading={isCounting || undo.isPending}
              onClick={() => void takeBack()}
            >
              Undo…
            </Button>
          </NextItem>
        )}
        {resource === 'customers' && one.state === 'applied' && (
          <NextItem
            icon={IconCalendarEvent}
            title="Import their bookings"
            note={`With the same IDs, from the source ${one.source}.`}
          >
            <Button
              variant="default"
              size="xs"
              renderRoot={(props) => <Link {...props} {...linkTo('/worker/import', { kind: 'bookings' })} />}
            >
              Import
            </Button>
          </NextItem>
        )}
        <NextItem icon={IconFileDownload} title="Import another file" note="Past imports stay in the list.">
          <Button
            variant="default"
            size="xs"
            renderRoot={(props) => <Link {...props} {...linkTo('/worker/import', { kind: resource })} />}
          >
            New import
          </Button>
        </NextItem>
      </ul>
    </SectionCard>
  )
}

interface Props {
  one: ImportDetail
  search: ImportSearch
  change: (part: Partial<ImportSearch>, how?: { replace?: boolean }) => void
}

const listed = {
  create: { title: 'Created', outcome: 'applied' },
  update: { title: 'Updated', outcome: 'applied' },
  changed_since: { title: 'Changed since the check' },
  skipped: { title: 'Skipped' },
  rejected: { title: 'Rejected' },
} as const

/** The last step: what was written, what was not and why, and how to take it back. */
export default function ResultStep({ one, search, change }: Props) {
  const { counts, state } = one
  const isUndone = state === 'undone'
  const figures = {
    create: counts.created,
    update: counts.updated,
    changed_since: counts.changed_since,
    skipped: counts.skipped,
    rejected: counts.rejected,
  }
  const first = counts.changed_since > 0 ? 'changed_since' : counts.created > 0 ? 'create' : 'update'
  const shown = search.show && search.show !== 'unchanged' ? search.show : first
  const ended = one.undone_at ?? one.applied_at
  return (
    <Wizard
      title={titleOf(one)}
      context={
        ended
          ? `${isUndone ? 'Undone' : state === 'canceled' ? 'Canceled' : state === 'failed' ? 'Stopped' : 'Finished'} ${momentText(ended)}${isUndone ? '' : tookText(one.started_at, ended)}.`
          : 'Stopped before the end.'
      }
      step="result"
      isDone
      file={one.file}
    >
      <Summary one={one} />
      <StatStrip
        label="Filter by result"
        stats={Object.entries(figures).map(([id, count]) => ({
          id,
          label: listed[id as keyof typeof listed].title,
          value: formatInteger(count),
        }))}
        chosen={shown}
        onChoose={(next) =>
          change({ show: (next ?? '') as ImportSearch['show'], ...({ page: undefined } as object) }, { replace: true })
        }
      />
      <div className={styles.two}>
        {isUndone && counts.kept > 0 && search.show === '' ? (
          <ImportRows one={one} title="Kept, because they changed after the import" state={first} outcome="kept" />
        ) : (
          <ImportRows
            key={shown}
            one={one}
            title={listed[shown as keyof typeof listed].title}
            state={shown}
            {...('outcome' in listed[shown as keyof typeof listed] && !isUndone && { outcome: 'applied' as const })}
          />
        )}
        <Next one={one} />
      </div>
    </Wizard>
  )
}
