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
  /** How many rows it would hold; nothing to export is no link. */
  total: number | undefined
}

/** All rows that the filters let through, as a file: the server streams it, the browser saves it. */
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
