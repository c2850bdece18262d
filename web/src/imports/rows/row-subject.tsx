import type { ImportRow } from '@limber/contract/imports/import.ts'
import type { ImportResource } from '@limber/contract/imports/import-kinds.ts'
import { RecordLink } from '#platform/routing/record-link.tsx'

/** Whom a row is about, with a link to the record if there is one. */
export function RowSubject({ resource, row }: { resource: ImportResource; row: ImportRow }) {
  const { record_id: id, line, outcome } = row
  const name = row.subject ?? `Line ${line}`
  if (id === null || outcome === 'undone') return <>{name}</>
  if (resource === 'customers')
    return (
      <RecordLink to="/support/users" search={{ user: id }} needs="users.overview">
        {name}
      </RecordLink>
    )
  if (resource === 'stretchers')
    return (
      <RecordLink to="/worker/managing/stretchers" search={{ stretcher: id }} needs="businesses.manage">
        {name}
      </RecordLink>
    )
  if (resource === 'businesses')
    return (
      <RecordLink to="/worker/managing/businesses" search={{ business: id }} needs="businesses.manage">
        {name}
      </RecordLink>
    )
  return <>{name}</>
}
