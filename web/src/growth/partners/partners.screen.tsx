import {
  exportPartners,
  type PartnerBusiness,
  type PartnerSession,
  type PartnerStatus,
} from '@limber/contract/growth/partners/partner.ts'
import { Button } from '@mantine/core'
import { IconMail, IconSchool } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useLiveRefresh } from '#platform/live/live.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { SearchField } from '#ui/form/search-field.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { TabBar, TabPanel } from '#ui/layout/tab-bar.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { partnersKey, partnersQuery } from './partner.api.ts'
import { PartnerSearch } from './partner-search.ts'
import { PartnerTable } from './partner-table.tsx'
import styles from './partners.module.css'
import { UpcomingSessions } from './upcoming-sessions.tsx'

const OutreachDialog = lazy(() => import('./outreach-dialog.tsx'))
const PartnerDialog = lazy(() => import('./partner-dialog.tsx'))
const PastSessions = lazy(() => import('./past-sessions.tsx'))

const statuses: readonly PartnerStatus[] = ['contacted', 'pending', 'active', 'inactive']

/** The addressee of a new email: a partner, a session contact, or no one yet. */
interface Addressee {
  businessId: number | null
  emails: readonly string[]
  name: string
}

type Chosen = Pick<PartnerBusiness, 'id' | 'repEmail' | 'name'>

/** Several partners as one addressee. */
const addresseeOf = (partners: readonly Chosen[]): Addressee => ({
  businessId: null,
  emails: [...new Set(partners.map(({ repEmail }) => repEmail))],
  name: partners.map(({ name }) => name).join(', '),
})

const noSchools = (
  <EmptyState icon={IconSchool} title="No schools yet">
    To mark a partner as a school, open it by its name and change its type.
  </EmptyState>
)

/** Partners: businesses and schools from the first email to the renewal, and their on-site sessions. */
export default function Partners() {
  useLiveRefresh('growth', partnersKey)
  useLiveRefresh('businesses', partnersKey)
  const [search, change] = useSearchState(PartnerSearch)
  const [addressee, setAddressee] = useState<Addressee>()
  const [chosen, setChosen] = useState<readonly Chosen[]>([])
  const { tab, q, partner, view } = search
  const all = useQuery(partnersQuery({ limit: '1' }))
  const counts = all.data?.kinds
  const write = ({ id, repEmail, name }: Chosen) => setAddressee({ businessId: id, emails: [repEmail], name })
  const writeAbout = ({ businessId, contactEmail, business }: PartnerSession) =>
    setAddressee({ businessId, emails: [contactEmail], name: business })
  const choose = (partner: Chosen, isChosen: boolean) =>
    setChosen((before) => [...before.filter(({ id }) => id !== partner.id), ...(isChosen ? [partner] : [])])
  const actions = (
    <>
      <SearchField
        label="Search partners"
        placeholder="Search partners..."
        value={q}
        onFind={(words) => change({ q: words, contacted: 1, pending: 1, active: 1, inactive: 1 }, { replace: true })}
      />
      <ExportButton call={exportPartners} query={{ kind: search.tab }} />
      {chosen.length > 0 && (
        <Button variant="default" onClick={() => setChosen([])}>
          Clear selection
        </Button>
      )}
      <Button leftSection={<Icon of={IconMail} />} onClick={() => setAddressee(addresseeOf(chosen))}>
        {chosen.length === 0 ? 'New email' : `Email ${chosen.length} selected`}
      </Button>
    </>
  )
  const tables = (
    <div className={styles.page}>
      {statuses.map((status) => (
        <PartnerTable
          key={status}
          status={status}
          search={search}
          change={change}
          onWrite={write}
          chosen={chosen.map(({ id }) => id)}
          onChoose={choose}
        />
      ))}
      <UpcomingSessions search={search} change={change} onWrite={writeAbout} />
    </div>
  )
  return (
    <>
      <PageHead title="Partners" actions={actions}>
        Businesses and schools, from the first email to the renewal.
      </PageHead>
      <TabBar
        id="partners"
        label="Type of partner"
        tab={tab}
        entries={[
          { tab: 'business', title: 'Businesses', count: counts?.business },
          { tab: 'school', title: 'Schools', count: counts?.school },
        ]}
        onOpen={(next) => {
          setChosen([])
          change({ tab: next, contacted: 1, pending: 1, active: 1, inactive: 1, upcoming: 1, past: 1 })
        }}
      />
      <TabPanel id="partners" tab={tab}>
        {tab === 'school' ? (
          <QueryView query={all} isEmpty={({ kinds }) => kinds.school === 0} empty={noSchools}>
            {() => tables}
          </QueryView>
        ) : (
          tables
        )}
      </TabPanel>
      <Suspense>
        {view === 'past' && <PastSessions search={search} change={change} onWrite={writeAbout} />}
        {partner > 0 && (
          <PartnerDialog key={partner} id={partner} onWrite={write} onClose={() => change({ partner: 0 })} />
        )}
        {addressee && (
          <OutreachDialog {...addressee} onSent={() => setChosen([])} onClose={() => setAddressee(undefined)} />
        )}
      </Suspense>
    </>
  )
}
