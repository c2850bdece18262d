import { useQuery } from '@tanstack/react-query'
import { ConflictDialog } from '#ui/form/conflict-dialog.tsx'
import { mergeMine } from '#ui/form/use-versioned-save.ts'
import { zonesQuery } from './business.api.ts'
import type { BusinessFields } from './business-fields.ts'

const labels: Record<keyof BusinessFields, string> = {
  name: 'Name',
  custom_path: 'Custom path',
  admin_email: 'Admin email',
  zone_id: 'Zone',
  rep_name: 'Contact name',
  location: 'Location',
}

interface Props {
  base: BusinessFields
  theirs: BusinessFields
  mine: BusinessFields
  onMine: () => void
  onTheirs: () => void
  onClose: () => void
}

/** Both versions of a business, and the choice between them. */
export default function BusinessConflict({ base, theirs, mine, ...choose }: Props) {
  const { data } = useQuery(zonesQuery)
  const show = (fields: BusinessFields, name: keyof BusinessFields) =>
    name === 'zone_id'
      ? (data?.zones.find(({ id }) => id === fields.zone_id)?.name ?? String(fields.zone_id))
      : String(fields[name])
  const result = mergeMine(base, theirs, mine)
  const names = Object.keys(labels) as (keyof BusinessFields)[]
  return (
    <ConflictDialog
      title="This business changed meanwhile"
      rows={names.map((name) => ({
        label: labels[name],
        base: show(base, name),
        theirs: show(theirs, name),
        mine: show(result, name),
      }))}
      {...choose}
    />
  )
}
