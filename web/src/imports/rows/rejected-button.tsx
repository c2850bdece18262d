import { downloadRejected } from '@limber/contract/imports/import.ts'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { addressOf } from '#platform/api/request.ts'
import { Icon } from '#ui/layout/icon.tsx'

/** The rejected rows as they are in the file, with a column that says why. */
export function RejectedButton({ id, label }: { id: number; label: string }) {
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Icon of={IconDownload} size={14} />}
      renderRoot={(props) => <a {...props} href={addressOf(downloadRejected, { params: { id } })} download />}
    >
      {label}
    </Button>
  )
}
