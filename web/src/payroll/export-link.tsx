import type { CallDefinition } from '@limber/contract/kit/call.ts'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { addressOf } from '#platform/request.ts'
import { Icon } from '#ui/icon.tsx'
import { whole } from './words.ts'

interface Props {
  call: CallDefinition
  query: Record<string, string>
  /** How many rows it would hold; nothing to export is no link. */
  total: number | undefined
}

/** All rows that the filters let through, as a file: the server streams it, the browser saves it. */
export function ExportLink({ call, query, total }: Props) {
  const icon = <Icon of={IconDownload} />
  if (!total) {
    return (
      <Button variant="default" leftSection={icon} disabled>
        Export CSV
      </Button>
    )
  }
  return (
    <Button
      variant="default"
      leftSection={icon}
      title={`All ${whole(total)} rows that match`}
      renderRoot={(props) => <a href={addressOf(call, { query })} download {...props} />}
    >
      Export CSV
    </Button>
  )
}
