import type { ImportColumn } from '@limber/contract/imports/import.ts'
import { type DateOrder, importFields } from '@limber/contract/imports/import-fields.ts'
import type { ImportResource } from '@limber/contract/imports/import-kinds.ts'
import { formatList, formatPercent, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { Button, NativeSelect } from '@mantine/core'
import { StatusDot } from '#ui/feedback/status.tsx'
import { fieldAt, needsOrder, type Question, readAs } from './column-questions.ts'
import styles from './columns-step.module.css'

const reasons = { map: 'From the map', header: 'Same name', values: 'Guessed from the values' }
const EXAMPLE = '03/04/2025'

interface Props {
  resource: ImportResource
  column: ImportColumn
  field: string | null
  question: Question | undefined
  dates: DateOrder | null
  onField: (field: string | null) => void
  /** Takes the field from the other columns. */
  onOnly: () => void
  onDates: (dates: DateOrder) => void
}

function DateQuestion({ column, dates, onDates }: Pick<Props, 'column' | 'dates' | 'onDates'>) {
  const { iso = 0, numeric = 0, example } = column.dates ?? {}
  const written = example ?? EXAMPLE
  return (
    <fieldset className={styles.question} aria-label={`Dates of ${column.header}`}>
      <span>
        <b>
          {iso > 0
            ? `${column.header} has dates in two forms.`
            : `${column.header} has dates that can be read in two ways.`}
        </b>{' '}
        {iso > 0 && `${pluralize(numeric, 'row')} look like ${written} and ${pluralize(iso, 'row')} like 2025-03-19. `}
        What is {written}?
      </span>
      <span className={styles.answers}>
        {(['mdy', 'dmy'] as const).map((order) => (
          <label key={order}>
            <input
              type="radio"
              name={`dates-${column.header}`}
              checked={dates === order}
              onChange={() => onDates(order)}
            />
            {readAs(written, order)}
          </label>
        ))}
      </span>
    </fieldset>
  )
}

/** One column of the file: its values, how full it is, where it goes, and what has to be answered about it. */
export function ColumnRow({ resource, column, field, question, dates, onField, onOnly, onDates }: Props) {
  const { header, samples, filled, found_by } = column
  const target = fieldAt(resource, field)
  const percent = Math.round(filled * 100)
  const isGuess = field === column.field
  const why =
    field === null ? (isGuess ? 'No match' : 'Your choice') : isGuess && found_by ? reasons[found_by] : 'Your choice'
  const asksDates = question?.kind !== 'twice' && needsOrder(column, target)
  return (
    <>
      <tr data-open={question !== undefined || undefined} data-asks={asksDates || question !== undefined || undefined}>
        <th scope="row" className={styles.header}>
          {header || <span className={styles.quiet}>No name</span>}
        </th>
        <td className={styles.values} title={samples.join(', ')}>
          {samples.join(', ') || '--'}
        </td>
        <td>
          <span className={styles.filled}>
            <span className={styles.track} aria-hidden>
              <span style={{ width: `${percent}%` }} />
            </span>
            {formatPercent(percent, 0)}
          </span>
        </td>
        <td className={styles.target}>
          <NativeSelect
            size="xs"
            aria-label={`${header} goes to`}
            value={field ?? ''}
            disabled={header === ''}
            data={[
              { value: '', label: 'Do not import' },
              ...importFields[resource].map(({ path, label }) => ({ value: path, label })),
            ]}
            onChange={(event) => onField(event.currentTarget.value || null)}
          />
        </td>
        <td className={styles.why}>{question ? <StatusDot meaning="amber">Needs an answer</StatusDot> : why}</td>
      </tr>
      {asksDates && (
        <tr className={styles.ask} data-open={question !== undefined || undefined}>
          <td colSpan={5}>
            <DateQuestion column={column} dates={dates} onDates={onDates} />
          </td>
        </tr>
      )}
      {question?.kind === 'twice' && (
        <tr className={styles.ask} data-open>
          <td colSpan={5}>
            <div className={styles.question}>
              <span>
                <b>{formatList([header, ...question.others])} go to the same field.</b> Only one column can go to{' '}
                {target?.label}.
              </span>
              <Button variant="default" size="xs" onClick={onOnly}>
                Use {header}
              </Button>
            </div>
          </td>
        </tr>
      )}
    </>
  )
}
