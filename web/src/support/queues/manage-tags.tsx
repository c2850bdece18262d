import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { createTag, removeTag, renameTag, type TicketTag } from '@limber/contract/support/queues/tag.ts'
import { ActionIcon, Button } from '@mantine/core'
import { IconGitMerge, IconPencil, IconPlus, IconTag, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { confirm } from '#ui/dialog/confirm.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { ListSkeleton } from '#ui/feedback/skeleton.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { ChoiceField, TextField } from '#ui/form/fields.tsx'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './manage-tags.module.css'
import { tagsQuery, useCreateTag, useRemoveTag, useRenameTag } from './queue.api.ts'

interface LayerProps {
  tag: TicketTag
  onClose: () => void
}

function RenameTag({ tag: { id, name, version }, onClose }: LayerProps) {
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={`Rename “${name}”`}
      context="The new name shows on all its tickets."
      submit="Rename"
      schema={renameTag.body}
      mutation={useRenameTag(id)}
      initial={{ name }}
      fixed={{ version }}
      onDone={(reply) => toastUndo(`“${name}” renamed.`, reply)}
    >
      <TextField name="name" label="Name" />
    </FormDialog>
  )
}

function MergeTag({ tag: { id, name, tickets, version }, tags, onClose }: LayerProps & { tags: readonly TicketTag[] }) {
  const options = tags.filter((one) => one.id !== id).map((one) => ({ value: String(one.id), label: one.name }))
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={`Merge “${name}”`}
      context={`The other tag replaces it on ${pluralize(tickets, 'ticket')}, and “${name}” is deleted. This cannot be undone.`}
      submit="Merge"
      isDestructive
      schema={removeTag.body}
      mutation={useRemoveTag(id)}
      fixed={{ version }}
      onDone={() => toast(`“${name}” merged.`)}
    >
      <ChoiceField name="into" label="Into" placeholder="Select a tag" options={options} isNumeric />
    </FormDialog>
  )
}

interface RowProps {
  tag: TicketTag
  canMerge: boolean
  onRename: () => void
  onMerge: () => void
}

function Row({ tag: { id, name, tickets, version }, canMerge, onRename, onMerge }: RowProps) {
  const remove = useRemoveTag(id)
  const ask = async () => {
    const isSure = await confirm({
      title: `Delete “${name}”?`,
      body: `It is removed from ${pluralize(tickets, 'ticket')}. This cannot be undone.`,
      action: 'Delete',
      isDestructive: true,
    })
    if (!isSure) return
    await remove.mutateAsync({ into: null, version }).then(
      () => toast(`“${name}” deleted.`),
      (error: unknown) => toastFailure(`Couldn't delete “${name}”`, error),
    )
  }
  return (
    <li className={styles.row}>
      <span className={styles.name}>{name}</span>
      <span className={styles.count}>{pluralize(tickets, 'ticket')}</span>
      <ActionIcon size={32} aria-label={`Rename ${name}`} onClick={onRename}>
        <Icon of={IconPencil} />
      </ActionIcon>
      <ActionIcon size={32} aria-label={`Merge ${name}`} disabled={!canMerge} onClick={onMerge}>
        <Icon of={IconGitMerge} />
      </ActionIcon>
      <ActionIcon size={32} aria-label={`Delete ${name}`} disabled={remove.isPending} onClick={() => void ask()}>
        <Icon of={IconTrash} />
      </ActionIcon>
    </li>
  )
}

/** All tags, with actions to add, rename, merge and delete. */
export default function ManageTags({ onClose }: { onClose: () => void }) {
  const query = useQuery(tagsQuery)
  const create = useCreateTag()
  const [layer, setLayer] = useState<{ kind: 'new' } | { kind: 'rename' | 'merge'; tag: TicketTag }>()
  const close = () => setLayer(undefined)
  const foot = (
    <>
      <Button variant="default" onClick={onClose}>
        Close
      </Button>
      <Button leftSection={<Icon of={IconPlus} />} onClick={() => setLayer({ kind: 'new' })}>
        New tag
      </Button>
    </>
  )
  return (
    <>
      <Dialog
        isOpen
        onClose={onClose}
        title="Manage tags"
        context="Shared by everyone in support."
        size={520}
        foot={foot}
      >
        <QueryView
          query={query}
          failure="Couldn't load tags"
          loading={<ListSkeleton rows={6} hasPicture={false} />}
          isEmpty={(tags) => tags.length === 0}
          empty={
            <EmptyState icon={IconTag} title="No tags yet">
              Tags group tickets by what they are about.
            </EmptyState>
          }
        >
          {(tags) => (
            <ul className={styles.rows}>
              {tags.map((tag) => (
                <Row
                  key={tag.id}
                  tag={tag}
                  canMerge={tags.length > 1}
                  onRename={() => setLayer({ kind: 'rename', tag })}
                  onMerge={() => setLayer({ kind: 'merge', tag })}
                />
              ))}
            </ul>
          )}
        </QueryView>
      </Dialog>
      {layer?.kind === 'new' && (
        <FormDialog isOpen onClose={close} title="New tag" submit="Save" schema={createTag.body} mutation={create}>
          <TextField name="name" label="Name" />
        </FormDialog>
      )}
      {layer?.kind === 'rename' && <RenameTag tag={layer.tag} onClose={close} />}
      {layer?.kind === 'merge' && <MergeTag tag={layer.tag} tags={query.data ?? []} onClose={close} />}
    </>
  )
}
