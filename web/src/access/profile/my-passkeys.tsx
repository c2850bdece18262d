import { type Passkey, renamePasskey } from '@limber/contract/access/profile/profile.ts'
import { ActionIcon, Button } from '@mantine/core'
import { IconKey, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { confirm } from '#ui/dialog/confirm.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { TextField } from '#ui/form/fields.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { FailureNote } from '../failure-note.tsx'
import { Entry, EntryList } from './entry-list.tsx'
import { useAddPasskey, useRemovePasskey, useRenamePasskey } from './profile.api.ts'
import styles from './profile.module.css'

function RenameDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const rename = useRenamePasskey(passkey.id)
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Rename passkey"
      submit="Save"
      size={400}
      schema={renamePasskey.body}
      mutation={rename}
      initial={{ name: passkey.name }}
      onDone={() => toast('Passkey renamed.')}
    >
      <TextField label="Name" name="name" />
    </FormDialog>
  )
}

/** Add, rename and remove passkeys. The last one cannot be removed. */
export function MyPasskeys({ passkeys }: { passkeys: readonly Passkey[] }) {
  const [renaming, setRenaming] = useState<Passkey>()
  const add = useAddPasskey()
  const remove = useRemovePasskey()
  const isOnly = passkeys.length < 2

  const askRemove = async (passkey: Passkey) => {
    const isSure = await confirm({
      title: `Remove ${passkey.name}?`,
      body: 'You can no longer sign in with it. This cannot be undone. You confirm with your passkey.',
      action: 'Remove',
      isDestructive: true,
    })
    if (!isSure) return
    void remove.mutateAsync(passkey.id).then(
      () => toast('Passkey removed.'),
      (error: unknown) => toastFailure("Couldn't remove the passkey", error),
    )
  }
  const actions = (
    <Button
      variant="default"
      size="xs"
      leftSection={<Icon of={IconPlus} size={14} />}
      loading={add.isPending}
      onClick={() => add.mutate(undefined, { onSuccess: () => toast('Passkey added.') })}
    >
      Add passkey
    </Button>
  )
  return (
    <SectionCard
      title="Passkeys"
      count={passkeys.length}
      isFlush
      actions={actions}
      foot={passkeys.length === 1 ? 'Your only passkey cannot be removed. Add another one first.' : undefined}
    >
      {add.isError && (
        <div className={styles.padded}>
          <FailureNote error={add.error} />
        </div>
      )}
      {passkeys.length === 0 && (
        <EmptyState icon={IconKey} title="No passkeys yet">
          Add a passkey to sign in and to confirm sensitive changes.
        </EmptyState>
      )}
      <EntryList label="Passkeys">
        {passkeys.map((passkey) => (
          <Entry
            key={passkey.id}
            title={passkey.name}
            actions={
              <>
                <ActionIcon size={28} aria-label={`Rename ${passkey.name}`} onClick={() => setRenaming(passkey)}>
                  <Icon of={IconPencil} />
                </ActionIcon>
                <ActionIcon
                  size={28}
                  aria-label={`Remove ${passkey.name}`}
                  disabled={isOnly || remove.isPending}
                  onClick={() => void askRemove(passkey)}
                >
                  <Icon of={IconTrash} />
                </ActionIcon>
              </>
            }
          >
            Added <Moment at={passkey.createdAt} form="day" />, last used{' '}
            <Moment at={passkey.lastUsedAt} form="relative" absent="never" />.{' '}
            {passkey.isBackedUp ? 'Synced across your devices.' : 'Stored on one device only.'}
          </Entry>
        ))}
      </EntryList>
      {renaming && <RenameDialog passkey={renaming} onClose={() => setRenaming(undefined)} />}
    </SectionCard>
  )
}
