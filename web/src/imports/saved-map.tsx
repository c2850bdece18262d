import type { MapChoice } from '@limber/contract/imports/import.ts'
import type { ImportResource } from '@limber/contract/imports/import-kinds.ts'
import { saveImportMap } from '@limber/contract/imports/import-map.ts'
import { ActionIcon } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { z } from 'zod'
import { confirm } from '#ui/dialog/confirm.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { TextField } from '#ui/form/fields.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { useDeleteMap, useRenameMap } from './import.api.ts'

const PREFIX = 'saved-'

interface Props {
  resource: ImportResource
  map: MapChoice
  /** The names of all maps. */
  names: readonly string[]
  /** With the key that it has now; without one after it was deleted. */
  onChanged: (key: string) => void
}

/** Renames or deletes a column map that someone saved. */
export function SavedMapActions({ resource, map: { key, label }, names, onChanged }: Props) {
  const id = Number(key.slice(PREFIX.length))
  const [isRenaming, setRenaming] = useState(false)
  const rename = useRenameMap(resource)
  const remove = useDeleteMap()
  const Fields = z.object({
    name: saveImportMap.body.shape.name.refine((name) => !names.includes(name), 'is the name of another map'),
  })
  const ask = async () => {
    const isSure = await confirm({
      title: `Delete the map “${label}”?`,
      body: 'Everyone loses it. Past imports stay as they are. This cannot be undone.',
      action: 'Delete map',
      isDestructive: true,
    })
    if (!isSure) return
    await remove.mutateAsync(id).then(
      () => {
        toast('Map deleted.')
        onChanged('')
      },
      (error: unknown) => toastFailure("Couldn't delete the map", error),
    )
  }
  return (
    <span>
      <ActionIcon size={28} aria-label={`Rename ${label}`} onClick={() => setRenaming(true)}>
        <Icon of={IconPencil} />
      </ActionIcon>
      <ActionIcon size={28} aria-label={`Delete ${label}`} loading={remove.isPending} onClick={() => void ask()}>
        <Icon of={IconTrash} />
      </ActionIcon>
      <FormDialog
        isOpen={isRenaming}
        onClose={() => setRenaming(false)}
        title={`Rename “${label}”`}
        submit="Rename"
        schema={Fields}
        initial={{ name: label }}
        mutation={{
          mutateAsync: async ({ name }: z.input<typeof Fields>) => {
            const saved = await rename.mutateAsync({ id, name })
            toast('Map renamed.')
            onChanged(`${PREFIX}${saved.id}`)
          },
        }}
      >
        <TextField label="Name" name="name" />
      </FormDialog>
    </span>
  )
}
