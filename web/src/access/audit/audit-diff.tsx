import { permissionLabel } from '@limber/contract/access/permission-labels.ts'
import { nameOf } from '@limber/contract/access/permissions.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import styles from './audit-diff.module.css'
import { fieldLabel } from './audit-labels.ts'

type Fields = Record<string, unknown>

const isMissing = (value: unknown) => value === null || value === undefined

const fieldsOf = (value: unknown): Fields =>
  isMissing(value) ? {} : typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : { value }

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

function textOf(value: unknown, field: string): string {
  if (isMissing(value)) return 'none'
  if (typeof value === 'string') {
    const name = field === 'permissions' ? nameOf(value) : undefined
    return name ? `${permissionLabel(name)} (${value})` : value
  }
  return JSON.stringify(value)
}

/** A changed list, as removed and added items. */
function ListChange({
  field,
  before,
  after,
}: {
  field: string
  before: readonly unknown[]
  after: readonly unknown[]
}) {
  const removed = before.filter((one) => !after.some((other) => same(one, other)))
  const added = after.filter((one) => !before.some((other) => same(one, other)))
  return (
    <ul>
      {removed.map((one) => (
        <li key={`removed ${textOf(one, field)}`} className={styles.removed}>
          <del>{textOf(one, field)}</del>
        </li>
      ))}
      {added.map((one) => (
        <li key={`added ${textOf(one, field)}`} className={styles.added}>
          <ins>{textOf(one, field)}</ins>
        </li>
      ))}
    </ul>
  )
}

const listOf = (value: unknown): readonly unknown[] | undefined =>
  Array.isArray(value) ? value : isMissing(value) ? [] : undefined

function FieldChange({ field, before, after }: { field: string; before: unknown; after: unknown }) {
  const [earlier, later] = [listOf(before), listOf(after)]
  if (earlier && later && (Array.isArray(before) || Array.isArray(after)))
    return <ListChange field={field} before={earlier} after={later} />
  return (
    <>
      {before !== undefined && <del className={styles.removed}>{textOf(before, field)}</del>}{' '}
      {after !== undefined && <ins className={styles.added}>{textOf(after, field)}</ins>}
    </>
  )
}

/** Before and after, field by field. Old values are struck through, new values are highlighted. */
export function AuditDiff({ before, after }: { before: unknown; after: unknown }) {
  const [earlier, later] = [fieldsOf(before), fieldsOf(after)]
  // Skip fields that are empty on both sides, even if only one side has the key.
  const fields = [...new Set([...Object.keys(earlier), ...Object.keys(later)])].filter(
    (field) => !(isMissing(earlier[field]) && isMissing(later[field])),
  )
  const changed = fields.filter((field) => !same(earlier[field], later[field]))
  const unchanged = fields.length - changed.length
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
      {unchanged > 0 && <p className={styles.note}>{pluralize(unchanged, 'value')} unchanged.</p>}
    </>
  )
}
