import type { ZoneRow } from '@limber/contract/businesses/zones/zone.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { linkTo } from '#platform/routing/links.ts'
import { MasterSummary, SummaryList } from '#ui/layout/master-summary.tsx'
import { zoneListQuery } from './zone.api.ts'

const SHOWN = 6

const row = (zone: ZoneRow) => ({
  id: zone.id,
  name: <Link {...linkTo('/worker/managing/zones', { zone: zone.id })}>{zone.name}</Link>,
  value: pluralize(zone.stretchers, 'stretcher'),
  note: pluralize(zone.businesses, 'business', 'businesses'),
})

/** Zones that lack stretchers, and those with the most businesses. */
export function ZoneSummary() {
  const { data } = useQuery(zoneListQuery(''))
  const zones = data?.zones ?? []
  const bare = zones.filter(({ stretchers }) => stretchers === 0)
  const busy = zones.filter(({ businesses }) => businesses > 0).sort((one, other) => other.businesses - one.businesses)
  return (
    <MasterSummary title="Select a zone" hint="to see its area, time zone and records.">
      {zones.length > 0 && (
        <>
          <SummaryList title="Without a stretcher" rows={bare.map(row)} none="Every zone has a stretcher." />
          <SummaryList
            title="Most businesses"
            rows={busy.slice(0, SHOWN).map(row)}
            none="No zone has a business yet."
          />
        </>
      )}
    </MasterSummary>
  )
}
