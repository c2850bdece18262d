import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconDots, IconPlus, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { useSearchState } from '#platform/routing/search.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Money } from '#ui/format/money.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { MasterDetail } from '#ui/layout/master-detail.tsx'
import { MasterRow } from '#ui/layout/master-row.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { DataTable, type TablePage } from '#ui/table/data-table.tsx'
import type { Column } from '#ui/table/data-table-types.ts'
import { useTableState } from '#ui/table/table-state.ts'
import styles from './gallery.module.css'

interface Suggestion {
  id: number
  title: string
  section: string
  status: 'pending' | 'approved' | 'rejected'
  cost: string
  created_at: string
}

const titles = [
  'Waiver wording on the booking page',
  'Explain the 90-day pilot',
  'What to wear',
  'Refund times for card payments',
]
const states = ['pending', 'approved', 'rejected'] as const
const meaning = { pending: 'amber', approved: 'green', rejected: 'plain' } as const
const all: Suggestion[] = Array.from({ length: 137 }, (_, place) => ({
  id: place + 1,
  title: `${titles[place % 4]}${place > 3 ? `, part ${Math.floor(place / 4) + 1}` : ''}`,
  section: ['faq', 'about', 'experience'][place % 3] ?? 'faq',
  status: states[place % 3] ?? 'pending',
  cost: `${(place * 37) % 500}.${String((place * 1234) % 10_000).padStart(4, '0')}`,
  created_at: new Date(Date.UTC(2026, 10, 14, 17) - place * 26_000_000).toISOString(),
}))

const columns: Column<Suggestion>[] = [
  { key: 'title', title: 'Title', sort: 'title', isTitle: true, cell: (row) => row.title },
  { key: 'section', title: 'Section', cell: (row) => row.section },
  {
    key: 'status',
    title: 'Status',
    sort: 'status',
    cell: (row) => <StatusDot meaning={meaning[row.status]}>{row.status}</StatusDot>,
  },
  { key: 'cost', title: 'Cost', isRight: true, cell: (row) => <Money amount={row.cost} decimals={4} /> },
  {
    key: 'created',
    title: 'Created',
    sort: 'created_at',
    isDownFirst: true,
    cell: (row) => <Moment at={row.created_at} />,
  },
  {
    key: 'actions',
    title: 'Actions',
    isRight: true,
    cell: (row) => (
      <ActionIcon size={28} aria-label={`Actions for ${row.title}`}>
        <Icon of={IconDots} />
      </ActionIcon>
    ),
  },
]

function Table() {
  const state = useTableState('gallery', { sort: '-created_at' })
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [open, setOpen] = useState<number | null>(2)
  const [text, setText] = useState('')
  const query = useQuery({
    queryKey: ['gallery', state.page, state.limit, state.sort, text],
    placeholderData: keepPreviousData,
    queryFn: async (): Promise<TablePage<Suggestion>> => {
      await new Promise((resolve) => setTimeout(resolve, 150))
      const found = all.filter((row) => row.title.toLowerCase().includes(text.toLowerCase()))
      const by = (state.sort?.by ?? 'id') as keyof Suggestion
      const sorted = found.sort((a, b) => String(a[by]).localeCompare(String(b[by])) * (state.sort?.isDown ? -1 : 1))
      const first = (state.page - 1) * state.limit
      return { rows: sorted.slice(first, first + state.limit), totalItems: found.length }
    },
  })
  const actions = (
    <>
      <TextInput
        aria-label="Search suggestions"
        placeholder="Search"
        data-section-search
        leftSection={<Icon of={IconSearch} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button size="xs" leftSection={<Icon of={IconPlus} size={14} />}>
        New Suggestion
      </Button>
    </>
  )
  return (
    <SectionCard
      title="Table with sort, paging and selection"
      count={chosen.size || undefined}
      isFlush
      actions={actions}
      className={styles.full ?? ''}
    >
      <DataTable
        label="Suggestions"
        query={query}
        columns={columns}
        keyOf={(row) => row.id}
        state={state}
        onOpen={(row) => setOpen(row.id)}
        openKey={open}
        selection={{ ids: chosen, onChange: setChosen }}
        empty={<EmptyState icon={IconSearch} title={`No results for “${text}”`} />}
        isStacking
      />
    </SectionCard>
  )
}

const Search = z.object({ business: z.string().catch('1') })
const businesses = ['Mission Inn Hospitality', 'Arrowhead Credit Union', 'Loma Vista Medical', 'Citrus Belt Brewing']

function Split() {
  const [search, change] = useSearchState(Search)
  const open = businesses[Number(search.business) - 1]
  const list = businesses.map((name, place) => (
    <MasterRow key={name} search={{ business: place + 1 }} isOpen={name === open} isUnread={place === 2}>
      <span>{name}</span>
      <span className={styles.note}>{place * 4} h</span>
      <span className={styles.note}>Riverside</span>
    </MasterRow>
  ))
  const detail = open ? (
    <div className={styles.pad}>
      <h3>{open}</h3>
      <Facts>
        <Facts.Row label="Zone">Riverside</Facts.Row>
        <Facts.Row label="Granted">28 h</Facts.Row>
      </Facts>
    </div>
  ) : null
  return (
    <SectionCard title="Master and detail" isFlush hasLine className={styles.full ?? ''}>
      <div className={styles.framed}>
        <MasterDetail
          listName="Businesses"
          list={list}
          detail={detail}
          listWidth={280}
          onBack={() => change({ business: '0' })}
        />
      </div>
    </SectionCard>
  )
}

export function Lists() {
  return (
    <>
      <Table />
      <Split />
    </>
  )
}
