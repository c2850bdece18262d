import { formatNumber } from '@limber/contract/kit/formats/numbers.ts'
import { ActionIcon, Tooltip } from '@mantine/core'
import { IconChartBar, IconChartLine, IconDownload, IconTable } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Icon } from '../layout/icon.tsx'
import { SectionCard } from '../layout/section-card.tsx'
import { csvText, saveText } from '../table/csv.ts'
import styles from './chart-frame.module.css'

export interface ChartTable {
  heads: readonly string[]
  rows: readonly (readonly (string | number | null)[])[]
  /** Machine-readable values for the first column of the CSV file: ISO dates and times. */
  keys?: readonly string[]
}

export interface LegendEntry {
  label: string
  series: 1 | 2 | 3 | 4 | 'prev'
}

interface Props {
  title: string
  /** Decides the icon of the chart view. */
  kind?: 'line' | 'bars'
  legend?: readonly LegendEntry[]
  /** The data for the table view and the CSV file. */
  table: ChartTable
  /** The name of the CSV file, without its extension. */
  file: string
  actions?: ReactNode
  children: ReactNode
}

const csvRows = ({ heads, rows, keys }: ChartTable) => [
  heads,
  ...rows.map((row, place) => [keys?.[place] ?? row[0], ...row.slice(1)]),
]

const cell = (value: string | number | null) => (typeof value === 'number' ? formatNumber(value) : (value ?? '--'))

function Figures({ title, table }: { title: string; table: ChartTable }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={styles.scroll} tabIndex={0} aria-label={`${title} as a table`}>
      <table className={styles.table}>
        <thead>
          <tr>
            {table.heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row) => (
            <tr key={String(row[0])}>
              {row.map((value, place) => (
                <td key={table.heads[place]}>{cell(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The frame of every chart: title, legend, table view and CSV export. */
export function ChartFrame({ title, kind = 'line', legend = [], table, file, actions, children }: Props) {
  const [view, setView] = useState<'chart' | 'table'>('chart')
  const views = [
    { value: 'chart', label: 'Chart', icon: kind === 'bars' ? IconChartBar : IconChartLine },
    { value: 'table', label: 'Table', icon: IconTable },
  ] as const
  const buttons = (
    <>
      {actions}
      {/* biome-ignore lint/a11y/useSemanticElements: two buttons of a toolbar */}
      <div className={styles.views} role="group" aria-label={`View of ${title}`}>
        {views.map(({ value, label, icon }) => (
          <button
            key={value}
            type="button"
            aria-label={label}
            aria-pressed={view === value}
            onClick={() => setView(value)}
          >
            <Icon of={icon} size={14} />
          </button>
        ))}
      </div>
      <Tooltip label="Export CSV">
        <ActionIcon
          size={28}
          aria-label={`Export ${title} as CSV`}
          onClick={() => saveText(`${file}.csv`, csvText(csvRows(table)))}
        >
          <Icon of={IconDownload} />
        </ActionIcon>
      </Tooltip>
    </>
  )
  const keys = legend.length > 0 && (
    <ul className={styles.legend}>
      {legend.map((entry) => (
        <li key={entry.label}>
          <span
            className={styles.key}
            data-series={entry.series}
            style={{ '--key': `var(--series-${entry.series})` } as object}
          />
          {entry.label}
        </li>
      ))}
    </ul>
  )
  return (
    <SectionCard title={title} beside={keys} actions={buttons}>
      {view === 'chart' ? children : <Figures title={title} table={table} />}
    </SectionCard>
  )
}
