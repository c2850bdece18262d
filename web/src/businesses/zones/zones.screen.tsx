import { exportZones } from '@limber/contract/businesses/zones/zone.ts'
import { zoneNameAt } from '@limber/contract/kit/formats/dates.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { Button } from '@mantine/core'
import { IconMapPin, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { now } from '#platform/clock.ts'
import { useLiveRefresh } from '#platform/live/live.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { ListSkeleton } from '#ui/feedback/skeleton.tsx'
import { SearchField } from '#ui/form/search-field.tsx'
import { Highlight } from '#ui/layout/highlight.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { MasterDetail } from '#ui/layout/master-detail.tsx'
import { MasterRow } from '#ui/layout/master-row.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { businessesKey } from '../business/business.api.ts'
import { zoneListQuery } from './zone.api.ts'
import { NewZone, ZoneEditor } from './zone-editor.tsx'
import { ZoneSummary } from './zone-summary.tsx'
import styles from './zones.module.css'

export const ZoneSearch = z.object({
  q: z.string().max(100).catch(''),
  zone: z.union([z.literal('new'), z.coerce.number().int().min(0)]).catch(0),
})

interface ListProps {
  q: string
  zone: number | 'new'
  onFind: (q: string) => void
  onAdd: () => void
}

function ZoneList({ q, zone, onFind, onAdd }: ListProps) {
  const query = useQuery(zoneListQuery(q))
  return (
    <>
      <div className={styles.filters}>
        <SearchField label="Search zones" placeholder="Name" value={q} onFind={onFind} />
      </div>
      <QueryView
        query={query}
        failure="Couldn't load zones"
        loading={<ListSkeleton rows={8} hasPicture={false} />}
        isEmpty={({ zones }) => zones.length === 0}
        empty={
          q ? (
            <EmptyState icon={IconMapPin} title="No zones found" />
          ) : (
            <EmptyState
              icon={IconMapPin}
              title="No zones yet"
              action={
                <Button variant="default" onClick={onAdd}>
                  Add the first zone
                </Button>
              }
            >
              A zone is an area that you serve.
            </EmptyState>
          )
        }
      >
        {({ zones }) =>
          zones.map((one) => (
            <MasterRow<'/worker/managing/zones'> key={one.id} search={{ zone: one.id }} isOpen={one.id === zone}>
              <span className={styles.name}>
                <Highlight text={one.name} part={q} />
              </span>
              <span className={styles.side}>{zoneNameAt(now(), one.time_zone)}</span>
              <span className={styles.meta}>
                {pluralize(one.businesses, 'business', 'businesses')} · {pluralize(one.stretchers, 'stretcher')}
              </span>
            </MasterRow>
          ))
        }
      </QueryView>
    </>
  )
}

/** The zones of the company: areas, time zones and records. */
export default function Zones() {
  useLiveRefresh('businesses', businessesKey)
  const [{ q, zone }, change] = useSearchState(ZoneSearch)
  const actions = (
    <>
      <ExportButton call={exportZones} query={{ search: q }} />
      <Button leftSection={<Icon of={IconPlus} />} onClick={() => change({ zone: 'new' })}>
        Add zone
      </Button>
    </>
  )
  const open = (id: number) => change({ zone: id })
  const detail =
    zone === 'new' ? (
      <NewZone onCreated={open} onCancel={() => open(0)} />
    ) : zone > 0 ? (
      <ZoneEditor key={zone} id={zone} onGone={() => change({ zone: 0 }, { isFinal: true })} />
    ) : null
  return (
    <>
      <PageHead title="Zones" actions={actions} isOneLine>
        Businesses, stretchers, customers and bookings belong to a zone and use its time zone.
      </PageHead>
      <MasterDetail
        listName="Zones"
        listWidth={280}
        list={
          <ZoneList
            q={q}
            zone={zone}
            onFind={(words) => change({ q: words }, { replace: true })}
            onAdd={() => change({ zone: 'new' })}
          />
        }
        detail={detail}
        placeholder={<ZoneSummary />}
        onBack={() => open(0)}
      />
    </>
  )
}
