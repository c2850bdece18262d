import type { Suggestion } from '@limber/contract/support/suggestions/kb-suggestion.ts'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconEye, IconListCheck, IconTrash } from '@tabler/icons-react'
import { confirm } from '#ui/dialog/confirm.ts'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { useDeleteSuggestion } from './suggestion.api.ts'

interface Props {
  suggestion: Pick<Suggestion, 'id' | 'title'>
  onView: () => void
  onReview: () => void
}

/** The row menu of a suggestion. */
export function SuggestionMenu({ suggestion: { id, title }, onView, onReview }: Props) {
  const remove = useDeleteSuggestion()
  const askAndDelete = async () => {
    const question = {
      title: 'Are you sure you want to delete this suggestion?',
      body: `“${title}” and its reviews will be deleted. This cannot be undone.`,
      action: 'Delete',
      isDestructive: true,
    }
    if (!(await confirm(question))) return
    // The row may unmount before the response, so this awaits the promise instead of using callbacks.
    await remove.mutateAsync({ params: { id: String(id) } }).then(
      () => toast('Suggestion deleted.'),
      (error) => toastFailure('Failed to delete suggestion', error),
    )
  }
  return (
    <Menu width={168} position="bottom-end">
      <Menu.Target>
        <ActionIcon size={28} aria-label={`Actions for ${title}`} loading={remove.isPending}>
          <Icon of={IconDots} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon of={IconEye} />} onClick={onView}>
          View Details
        </Menu.Item>
        <Menu.Item leftSection={<Icon of={IconListCheck} />} onClick={onReview}>
          Review
        </Menu.Item>
        <Menu.Item c="var(--red-text)" leftSection={<Icon of={IconTrash} />} onClick={() => void askAndDelete()}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
