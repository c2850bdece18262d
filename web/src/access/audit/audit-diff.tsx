import { wordsOf } from '@limber/contract/access/permission-words.ts'
import { nameOf } from '@limber/contract/access/permissions.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import styles from './audit-diff.module.css'
import { fieldLabel } from './audit-labels.ts'

type Fields = Record<string, unknown>

const isNothing = (value: unknown) => value === null || value === undefined

const fieldsOf = (value: unknown): Fields =>
  isNothing(value) ? {} : typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : { value }

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

function textOf(value: unknown, field: string): string {
  if (isNothing(value)) return 'none'
  if (typeof value === 'string') {
    const name = field === 'permissions' ? nameOf(value) : undefined
    return name ? `${wordsOf(name)} (${value})` : value
  }
  return JSON.stringify(value)
}

/** A list that changed, as what was taken and what was given. */
function ListChange({
  field,
  before,
  after,
}: {
  field: string
  before: readonly unknown[]
  after: readonly unknown[]
}) {
  const taken = before.filter((one) => !after.some((other) => same(one, other)))
  const given = after.filter((one) => !before.some((other) => same(one, other)))
  return (
    <ul>
      {taken.map((one) => (
        <li key={`taken ${textOf(one, field)}`} className={styles.taken}>
          <del>{textOf(one, field)}</del>
        </li>
      ))}
      {given.map((one) => (
        <li key={`given ${textOf(one, field)}`} className={styles.given}>
          <ins>{textOf(one, field)}</ins>
        </li>
      ))}
    </ul>
  )
}

const listOf = (value: unknown): readonly unknown[] | undefined =>
  Array.isArray(value) ? value : isNothing(value) ? [] : undefined

function FieldChange({ field, before, after }: { field: string; before: unknown; after: unknown }) {
  const [earlier, later] = [listOf(before), listOf(after)]
  if (earlier && later && (Array.isArray(before) || Array.isArray(after)))
    return <ListChange field={field} before={earlier} after={later} />
  return (
    <>
      {before !== undefined && <del className={styles.taken}>{textOf(before, field)}</del>}{' '}
      {after !== undefined && <ins className={styles.given}>{textOf(after, field)}</ins>}
    </>
  )
}

/** Before and after, field by field: what went is struck through, what came is marked. */
export function AuditDiff({ before, after }: { before: unknown; after: unknown }) {
  const [earlier, later] = [fieldsOf(before), fieldsOf(after)]
  // What was nothing and is nothing tells nobody anything, also when only one side names it.
  const fields = [...new Set([...Object.keys(earlier), ...Object.keys(later)])].filter(
    (field) => !(isNothing(earlier[field]) && isNothing(later[field])),
  )
  const changed = fields.filter((field) => !same(earlier[field], later[field]))
  const kept = fields.length - changed.length
  if (fields.length === 0) return <p className={styles.note}>No values were recorded.</p>
  return (
    <>
      <dl className={styles.fields}>
        {changed.map((field) => (
          <div key={field} className={styles.field}>
            <dt className={styles.name}>{fieldLabel(field)}</dt>
            <dd className={styles.value}>
              <FieldChange field={field} before={earlier[field]} after={later[field]} />
            </dd>
          </div>
        ))}
      </dl>
      {kept > 0 && <p className={styles.note}>{pluralize(kept, 'value')} unchanged.</p>}
    </>
  )
}
