import { businessLabels } from '@limber/contract/businesses/business/business.ts'
import { useQuery } from '@tanstack/react-query'
import { RecordLink } from '#platform/routing/record-link.tsx'
import { ChoiceField } from '#ui/form/fields.tsx'
import { zonesQuery } from '../business/business.api.ts'

/** Selects the zone of a business. */
export function ZoneField() {
  const { data } = useQuery(zonesQuery)
  const options = data?.zones.map(({ id, name }) => ({ value: String(id), label: name })) ?? []
  return (
    <ChoiceField
      label={businessLabels.zone_id}
      name="zone_id"
      options={options}
      placeholder="Select zone…"
      isNumeric
      {...(data?.zones.length === 0 && {
        hint: (
          <>
            There are no zones yet.{' '}
            <RecordLink to="/worker/managing/zones" search={{ zone: 'new' }} needs="businesses.manage">
              Add the first zone
            </RecordLink>
          </>
        ),
      })}
    />
  )
}
