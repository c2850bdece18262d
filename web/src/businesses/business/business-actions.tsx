import type { Business } from '@limber/contract/businesses/business/business.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { Button } from '@mantine/core'
import { IconArchive, IconArchiveOff } from '@tabler/icons-react'
import { messageOf } from '#platform/api/api.ts'
import { CallFailure } from '#platform/api/call-failure.ts'
import { confirm } from '#ui/dialog/confirm.ts'
import { DeleteButton } from '#ui/dialog/delete-button.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { attempt } from './attempt.ts'
import { useArchiveBusiness, useDeleteBusiness, useRestoreBusiness } from './business.api.ts'

interface Props {
  business: Business
  onGone: () => void
  onChanged: (business: Business) => void
}

/** Delete, and Archive or Restore. A refused deletion offers to archive instead. */
export function BusinessActions({ business, onGone, onChanged }: Props) {
  const { id, version, name, archived_at } = business
  const remove = useDeleteBusiness()
  const archive = useArchiveBusiness()
  const restore = useRestoreBusiness()

  const restoreArchived = (from: number) =>
    void attempt(restore.mutateAsync({ id, version: from }), (saved) => {
      toastUndo(`${name} restored.`, saved)
      onChanged(saved)
    })
  const archiveWithUndo = () =>
    void attempt(archive.mutateAsync({ id, version }), (saved) => {
      toast(`${name} archived.`, { action: { label: 'Undo', run: () => restoreArchived(saved.version) } })
      onChanged(saved)
    })
  const askDelete = async () => {
    const isSure = await confirm({
      title: 'Delete this business?',
      body: `This permanently deletes ${name}, its unused blocks and its email list. This cannot be undone. You confirm with your passkey.`,
      action: 'Delete',
      isDestructive: true,
    })
    if (!isSure) return
    await attempt(
      remove.mutateAsync({ id, version }),
      ({ deleted_blocks, deleted_emails }) => {
        const along = [pluralize(deleted_blocks, 'block'), pluralize(deleted_emails, 'address', 'addresses')]
        toast(`${name} deleted.`, { detail: `Also deleted: ${along.join(' and ')}.` })
        onGone()
      },
      (error) => {
        const canArchive = error instanceof CallFailure && error.code === 'has_sessions' && !archived_at
        toastFailure(messageOf(error), error, canArchive ? { action: { label: 'Archive', run: archiveWithUndo } } : {})
      },
    )
  }
  return (
    <>
      {archived_at ? (
        <Button
          variant="default"
          leftSection={<Icon of={IconArchiveOff} />}
          loading={restore.isPending}
          onClick={() => restoreArchived(version)}
        >
          Restore
        </Button>
      ) : (
        <Button
          variant="default"
          leftSection={<Icon of={IconArchive} />}
          loading={archive.isPending}
          onClick={archiveWithUndo}
        >
          Archive
        </Button>
      )}
      <DeleteButton isPending={remove.isPending} onClick={() => void askDelete()} />
    </>
  )
}
