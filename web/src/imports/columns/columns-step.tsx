import { checkImport, type ImportColumns, type ImportDetail } from '@limber/contract/imports/import.ts'
import type { DateOrder } from '@limber/contract/imports/import-fields.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { Button, Switch, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { messageOf } from '#platform/api/api.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { FailureView } from '#ui/feedback/failure-view.tsx'
import { ListSkeleton } from '#ui/feedback/skeleton.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { PlainTable } from '#ui/table/plain-table.tsx'
import { columnsQuery, useCheck } from '../import.api.ts'
import { titleOf } from '../import-labels.ts'
import { Wizard } from '../wizard.tsx'
import { type Choices, chosenColumns, comparedBy, findQuestions, firstChoices } from './column-questions.ts'
import { ColumnRow } from './column-row.tsx'
import styles from './columns-step.module.css'

const SaveMap = lazy(() => import('./save-map.tsx'))

/** As many columns are shown before the rest folds away. */
const SHOWN = 15

interface Props {
  one: ImportDetail
  map: string
  onBack: () => void
  /** After the check has begun. */
  onChecked: () => void
}

function Columns({ one, map, found, onBack, onChecked }: Props & { found: ImportColumns }) {
  const { resource } = one
  const [choices, setChoices] = useState<Choices>(() => firstChoices(one, found, map !== ''))
  const [dates, setDates] = useState<DateOrder | null>((map === '' ? one.dates : null) ?? found.dates)
  const [source, setSource] = useState(one.source)
  const [isOnlyOpen, setOnlyOpen] = useState(false)
  const [showsAll, setShowsAll] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const check = useCheck(one.id)

  const { columns } = found
  const questions = findQuestions(resource, columns, choices, dates)
  const chosen = chosenColumns(choices)
  const matched = Object.keys(chosen).length
  const isSource = checkImport.body.shape.source.safeParse(source).success
  const isOff = questions.size > 0 || matched === 0 || !isSource
  const shown = columns.filter(
    ({ header }, place) => questions.has(header) || (!isOnlyOpen && (showsAll || place < SHOWN)),
  )
  const hidden = isOnlyOpen ? 0 : columns.length - shown.length
  const start = () =>
    check.mutateAsync({ columns: chosen, dates, source }).then(onChecked, () => {
      // The message shows above the table.
    })

  return (
    <Wizard
      title={titleOf(one)}
      context={`${matched} of ${pluralize(columns.length, 'column')} are matched.${
        questions.size > 0 ? ` ${questions.size} ${questions.size === 1 ? 'needs' : 'need'} an answer.` : ''
      }`}
      step="columns"
      file={one.file}
      choice={comparedBy(choices)}
      back={{ label: 'Back', run: onBack }}
      next={{
        label: `Check ${pluralize(one.file.rows, 'row')}`,
        run: () => void start(),
        isOff,
        isBusy: check.isPending,
      }}
    >
      {one.error && one.state === 'failed' && !check.isPending && <Banner kind="red">{one.error}</Banner>}
      {check.isError && <Banner kind="red">{messageOf(check.error)}</Banner>}
      <SectionCard
        title="Columns"
        count={`${columns.length} in the file`}
        actions={
          <>
            <Switch
              label="Only open questions"
              checked={isOnlyOpen}
              onChange={(event) => setOnlyOpen(event.currentTarget.checked)}
            />
            <Button variant="default" size="xs" disabled={matched === 0} onClick={() => setSaving(true)}>
              Save as map
            </Button>
          </>
        }
        isFlush
      >
        <div className={styles.columns}>
          <PlainTable label="Columns">
            <thead>
              <tr>
                <th>Column in the file</th>
                <th>Values</th>
                <th>Filled</th>
                <th>Goes to</th>
                <th>Why</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((column) => (
                <ColumnRow
                  key={column.header}
                  resource={resource}
                  column={column}
                  field={choices[column.header] ?? null}
                  question={questions.get(column.header)}
                  dates={dates}
                  onField={(field) => setChoices({ ...choices, [column.header]: field })}
                  onOnly={() =>
                    setChoices(
                      Object.fromEntries(
                        Object.entries(choices).map(([header, field]) => [
                          header,
                          header !== column.header && field === choices[column.header] ? null : field,
                        ]),
                      ),
                    )
                  }
                  onDates={setDates}
                />
              ))}
            </tbody>
          </PlainTable>
          {isOnlyOpen && shown.length === 0 && <p className={styles.none}>All questions are answered.</p>}
        </div>
        {hidden > 0 && (
          <div className={styles.more}>
            <span>{pluralize(hidden, 'more column')}</span>
            <Button variant="subtle" color="gray" size="xs" onClick={() => setShowsAll(true)}>
              Show all
            </Button>
          </div>
        )}
        {Object.values(chosen).includes('external_id') && (
          <div className={styles.source}>
            <TextInput
              label="Source of the IDs"
              description="A short name of the system that the IDs come from, such as mindbody. Use the same one for its other files."
              size="xs"
              value={source}
              error={isSource ? undefined : 'Use lowercase letters, digits and hyphens.'}
              onChange={(event) => setSource(event.currentTarget.value)}
            />
          </div>
        )}
      </SectionCard>
      <Suspense>
        {isSaving && <SaveMap resource={resource} columns={chosen} dates={dates} onClose={() => setSaving(false)} />}
      </Suspense>
    </Wizard>
  )
}

/** The second step: where each column goes, and the questions that its values raise. */
export default function ColumnsStep(props: Props) {
  const query = useQuery(columnsQuery(props.one.id, props.map))
  // A new map starts over with its own choices.
  if (query.data && !query.isPlaceholderData) return <Columns key={props.map} {...props} found={query.data} />
  return (
    <Wizard title={titleOf(props.one)} context="Reading the columns." step="columns" file={props.one.file}>
      <SectionCard title="Columns" isFlush>
        {query.isError ? (
          <FailureView
            error={query.error}
            title="Couldn't read the columns"
            onRetry={() => void query.refetch()}
            isRetrying={query.isFetching}
          />
        ) : (
          <ListSkeleton rows={8} hasPicture={false} />
        )}
      </SectionCard>
    </Wizard>
  )
}
