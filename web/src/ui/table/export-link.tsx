import type { CallDefinition } from '@limber/contract/kit/call.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { addressOf } from '#platform/api/request.ts'
import { Icon } from '../layout/icon.tsx'

interface Props {
  call: CallDefinition
  query: Record<string, string>
  params?: Record<string, string>
  /** The number of rows; with 0 the button is disabled. */
  total: number | undefined
}

/** Downloads all rows that match the filters. The server streams the file. */
export function ExportLink({ call, query, params, total }: Props) {
  const icon = <Icon of={IconDownload} />
  if (!total) {
    return (
      <Button variant="default" leftSection={icon} disabled>
        Export CSV
      </Button>
    )
  }
  const address = addressOf(call, { query, ...(params && { params }) })
  return (
    <Button
      variant="default"
      leftSection={icon}
      title={`Export all ${formatInteger(total)} matching rows`}
      renderRoot={(props) => <a href={address} download {...props} />}
    >
      Export CSV
    </Button>
  )
}
