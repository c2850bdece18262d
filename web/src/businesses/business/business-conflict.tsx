import { businessFields } from '@limber/contract/businesses/business/business.ts'
import { useQuery } from '@tanstack/react-query'
import { ConflictDialog } from '#ui/form/conflict-dialog.tsx'
import { fieldFormatters } from '#ui/form/field-formatters.ts'
import { mergeMine } from '#ui/form/use-versioned-save.ts'
import { zonesQuery } from './business.api.ts'
import type { BusinessFields } from './business-fields.ts'

interface Props {
  base: BusinessFields
  theirs: BusinessFields
  mine: BusinessFields
  onMine: () => void
  onTheirs: () => void
  onClose: () => void
}

/** Both versions of a business and the choice between them. */
export default function BusinessConflict({ base, theirs, mine, ...choose }: Props) {
  const { data } = useQuery(zonesQuery)
  const zone = (one: number) => data?.zones.find(({ id }) => id === one)?.name ?? String(one)
  const result = mergeMine(base, theirs, mine)
  return (
    <ConflictDialog
      title="Someone else changed this business"
      rows={fieldFormatters(businessFields, { shown: { zone_id: zone } }).map(([label, text]) => ({
        label,
        base: text(base),
        theirs: text(theirs),
        mine: text(result),
      }))}
      {...choose}
    />
  )
}
