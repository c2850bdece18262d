import type { ImportDetail } from '@limber/contract/imports/import.ts'
import { importKinds } from '@limber/contract/imports/import-kinds.ts'
import type { RowState } from '@limber/contract/imports/import-values.ts'
import { formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { Checkbox } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { messageOf } from '#platform/api/api.ts'
import { StatStrip } from '#ui/charts/stat-strip.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { useApply } from '../import.api.ts'
import { countText, openChanges, rowLabels, titleOf, tookText } from '../import-labels.ts'
import type { ImportSearch } from '../import-search.ts'
import { Wizard } from '../wizard.tsx'
import styles from './check-step.module.css'
import { ImportRows } from './import-rows.tsx'
import { RejectedButton } from './rejected-button.tsx'
import { Samples } from './samples.tsx'

const shownStates = ['create', 'update', 'unchanged', 'skipped', 'rejected'] as const

interface Props {
  one: ImportDetail
  search: ImportSearch
  change: (part: Partial<ImportSearch>, how?: { replace?: boolean }) => void
}

function Reasons({ one, state, search, change }: Props & { state: RowState }) {
  const reasons = one.reasons.filter((each) => each.state === state)
  const most = Math.max(1, ...reasons.map(({ count }) => count))
  return (
    <SectionCard title="Reasons" count={pluralize(one.counts[state], 'row')} isFlush>
      <ul className={styles.reasons}>
        {reasons.map(({ reason, count }) => (
          <li key={reason}>
            <button
              type="button"
              aria-pressed={search.reason === reason}
              data-state={state}
              onClick={() =>
                change({ reason: search.reason === reason ? '' : reason, ...firstPage }, { replace: true })
              }
            >
              <span>{reason}</span>
              <span className={styles.count}>{formatInteger(count)}</span>
              <i aria-hidden style={{ width: `calc((100% - 16px) * ${count / most})` }} />
            </button>
          </li>
        ))}
      </ul>
      <p className={styles.note}>
        <Icon of={IconInfoCircle} size={14} />
        {state === 'rejected' ? 'Rejected rows do not stop the others.' : 'Skipped rows are not imported.'}
      </p>
    </SectionCard>
  )
}

// The page belongs to the table of rows.
const firstPage = { page: undefined } as object

/** The third step: what will happen to each row. Nothing has been written. */
export default function CheckStep({ one, search, change }: Props) {
  const { counts, resource } = one
  const [tells, setTells] = useState(false)
  const apply = useApply(one.id)
  const changes = openChanges(one)
  const first = counts.rejected > 0 ? 'rejected' : (shownStates.find((state) => counts[state] > 0) ?? 'create')
  const shown = search.show && search.show !== 'changed_since' ? search.show : first
  const reasons = one.reasons.filter(({ state }) => state === shown)
  const notes: Record<(typeof shownStates)[number], string> = {
    create: `new ${importKinds[resource].many}`,
    update: `${pluralize(counts.values, 'value')} ${counts.values === 1 ? 'changes' : 'change'}`,
    unchanged: 'already the same',
    skipped: 'not imported',
    rejected:
      counts.rejected > 0
        ? pluralize(one.reasons.filter(({ state }) => state === 'rejected').length, 'reason')
        : 'none',
  }
  const start = async () => {
    const isSure =
      !tells ||
      (await confirm({
        title: 'Tell people about it?',
        body: `Email, text messages, webhooks and wages follow from ${pluralize(changes, 'change')} as if staff had made them.`,
        action: `Apply and tell people`,
      }))
    // A failure shows above the rows.
    if (isSure) apply.mutate(tells)
  }
  return (
    <Wizard
      title={titleOf(one)}
      context={`Checked${tookText(one.started_at, one.checked_at)}. Nothing has been written.`}
      step="check"
      file={one.file}
      choice={
        <span className={styles.tell}>
          <Checkbox
            label="Tell people about it"
            checked={tells}
            onChange={(event) => setTells(event.currentTarget.checked)}
          />
          <span>
            {tells
              ? 'On: email, texts, webhooks, and wages follow as from any change.'
              : 'Off: no email, text, webhook, or wage leaves because of this import.'}
          </span>
        </span>
      }
      back={{ label: 'Back', run: () => change({ step: 'columns', show: '', reason: '' }) }}
      next={{
        label: changes > 0 ? `Apply ${pluralize(changes, 'change')}` : 'Nothing to apply',
        run: () => void start(),
        isOff: changes === 0 || !one.file.is_kept,
        isBusy: apply.isPending,
      }}
    >
      {apply.isError && <Banner kind="red">{messageOf(apply.error)}</Banner>}
      {one.state === 'failed' && one.error && <Banner kind="red">{one.error}</Banner>}
      {one.state === 'canceled' && <Banner kind="plain">Canceled before anything was written.</Banner>}
      {!one.file.is_kept && <Banner kind="amber">The file was deleted. Upload it again to import it.</Banner>}
      <StatStrip
        label="Filter by result"
        stats={shownStates.map((state) => ({
          id: state,
          label: rowLabels[state],
          value:
            state === 'rejected' && counts.rejected > 0 ? (
              <StatusDot meaning="red">{formatInteger(counts.rejected)}</StatusDot>
            ) : (
              formatInteger(counts[state])
            ),
          note: notes[state],
        }))}
        chosen={shown}
        onChoose={(next) =>
          change({ show: (next ?? '') as RowState | '', reason: '', ...firstPage }, { replace: true })
        }
      />
      <div className={reasons.length > 0 ? styles.split : styles.whole}>
        {reasons.length > 0 && <Reasons one={one} state={shown} search={search} change={change} />}
        <ImportRows
          key={`${shown} ${search.reason}`}
          one={one}
          title={search.reason || `${rowLabels[shown]}: ${countText(counts[shown], resource)}`}
          state={shown}
          reason={search.reason}
          {...(shown === 'rejected' &&
            counts.rejected > 0 && { actions: <RejectedButton id={one.id} label="Rejected rows as CSV" /> })}
        />
      </div>
      <Samples one={one} without={shown} />
    </Wizard>
  )
}
