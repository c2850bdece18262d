import type { ExportCall } from '@limber/contract/kit/export.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { ActionIcon } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { addressOf } from '#platform/api/request.ts'
import { Icon } from '../layout/icon.tsx'

interface Props {
  call: ExportCall
  /** What the list was asked for. Its page and empty filters are left out. */
  query?: Readonly<Record<string, unknown>>
  params?: Record<string, string>
  /** The number of rows, if known; with 0 the button is disabled. */
  total?: number | undefined
}

const paging = new Set(['page', 'limit', 'before', 'pageToken'])

const filtersOf = (query: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(query).filter(
      ([name, value]) => !paging.has(name) && value !== undefined && value !== null && value !== '',
    ),
  )

/** Downloads everything that the list shows as CSV. The server streams the file. */
export function ExportButton({ call, query = {}, params, total }: Props) {
  const label = total ? `Export ${formatInteger(total)} rows as CSV` : 'Export as CSV'
  if (total === 0) {
    return (
      <ActionIcon variant="default" size={36} aria-label="Export CSV" disabled>
        <Icon of={IconDownload} />
      </ActionIcon>
    )
  }
  const address = addressOf(call, { query: filtersOf(query), ...(params && { params }) })
  return (
    <ActionIcon
      variant="default"
      size={36}
      aria-label="Export CSV"
      title={label}
      renderRoot={(props) => <a href={address} download data-export {...props} />}
    >
      <Icon of={IconDownload} />
    </ActionIcon>
  )
}
