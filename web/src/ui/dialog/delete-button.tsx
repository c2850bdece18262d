import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { Icon } from '../layout/icon.tsx'

/** The delete button of a record. The caller asks for confirmation. */
export function DeleteButton({ isPending, onClick }: { isPending: boolean; onClick: () => void }) {
  return (
    <Button
      variant="default"
      c="var(--red-text)"
      leftSection={<Icon of={IconTrash} />}
      loading={isPending}
      onClick={onClick}
    >
      Delete
    </Button>
  )
}
