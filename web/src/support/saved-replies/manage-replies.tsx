import { exportSavedReplies, type SavedReply } from '@limber/contract/support/saved-replies/saved-reply.ts'
import { ActionIcon, Button } from '@mantine/core'
import { IconMessageBolt, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { confirm } from '#ui/dialog/confirm.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { ListSkeleton } from '#ui/feedback/skeleton.tsx'
import { toastFailure } from '#ui/feedback/toast-store.ts'
import { Moment } from '#ui/format/moment.tsx'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { usageOf } from './macro-labels.ts'
import { EditReply, SaveReply } from './save-reply.tsx'
import styles from './saved-replies.module.css'
import { savedRepliesQuery, useDeleteReply } from './saved-reply.api.ts'

interface RowProps {
  reply: SavedReply
  onEdit: () => void
}

function Row({ reply, onEdit }: RowProps) {
  const { id, name, content, changedBy, changedAt } = reply
  const usage = usageOf(reply)
  const remove = useDeleteReply()
  const ask = async () => {
    const isSure = await confirm({
      title: `Delete “${name}”?`,
      body: 'No one can use it anymore. Messages already sent stay.',
      action: 'Delete',
      isDestructive: true,
    })
    if (!isSure) return
    await remove.mutateAsync(id).then(
      (reply) => toastUndo(`“${name}” deleted.`, reply),
      (error: unknown) => toastFailure(`Couldn't delete “${name}”`, error),
    )
  }
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <p className={styles.title}>{name}</p>
        <p className={styles.begin}>{content}</p>
        <p className={styles.meta}>
          {changedBy}, <Moment at={changedAt} form="day" />
          {usage && ` · ${usage}`}
        </p>
      </div>
      <ActionIcon size={32} aria-label={`Edit ${name}`} onClick={onEdit}>
        <Icon of={IconPencil} />
      </ActionIcon>
      <ActionIcon size={32} aria-label={`Delete ${name}`} disabled={remove.isPending} onClick={() => void ask()}>
        <Icon of={IconTrash} />
      </ActionIcon>
    </li>
  )
}

/** All saved replies, with actions to add, edit and delete. */
export function ManageReplies({ onClose }: { onClose: () => void }) {
  const query = useQuery(savedRepliesQuery)
  const [layer, setLayer] = useState<'new' | SavedReply>()
  const close = () => setLayer(undefined)
  const foot = (
    <>
      <span className={styles.first}>
        <ExportButton call={exportSavedReplies} total={query.data?.length} />
      </span>
      <Button variant="default" onClick={onClose}>
        Close
      </Button>
      <Button leftSection={<Icon of={IconPlus} />} onClick={() => setLayer('new')}>
        New reply
      </Button>
    </>
  )
  return (
    <>
      <Dialog
        isOpen
        onClose={onClose}
        title="Manage saved replies"
        context="Shared by everyone in support."
        size={640}
        foot={foot}
      >
        <QueryView
          query={query}
          failure="Couldn't load saved replies"
          loading={<ListSkeleton rows={6} hasPicture={false} />}
          isEmpty={(replies) => replies.length === 0}
          empty={
            <EmptyState icon={IconMessageBolt} title="No saved replies yet">
              Add a text that your team often sends.
            </EmptyState>
          }
        >
          {(replies) => (
            <ul className={styles.rows}>
              {replies.map((reply) => (
                <Row key={reply.id} reply={reply} onEdit={() => setLayer(reply)} />
              ))}
            </ul>
          )}
        </QueryView>
      </Dialog>
      {layer === 'new' && <SaveReply content="" onClose={close} />}
      {layer !== undefined && layer !== 'new' && <EditReply reply={layer} onClose={close} />}
    </>
  )
}
