import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { Icon } from '../layout/icon.tsx'

/** The way out of a record, beside its other actions; whoever presses it is asked first. */
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
