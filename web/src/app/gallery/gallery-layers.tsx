import { Text } from '@limber/contract/kit/values.ts'
import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { type CommandGroup, CommandPalette } from '#ui/dialog/command-palette.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { AreaField, ChoiceField, FieldRow, TextField } from '#ui/form/fields.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import styles from './gallery.module.css'

const Task = z.object({
  city: Text(60),
  priority: z.enum(['Low', 'Medium', 'High']),
  title: Text(120),
  description: Text(2000).optional(),
})
const priorities = ['Low', 'Medium', 'High'].map((value) => ({ value, label: value }))
const places = ['Campaigns', 'Support Tickets', 'User Overview', 'Tax audit']

function TaskDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const create = useMutation({ mutationFn: async (_: z.input<typeof Task>) => undefined })
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Create New City Task"
      schema={Task}
      mutation={create}
      initial={{ city: 'Perris', priority: 'Medium', title: 'Open city: Perris' }}
      submit="Submit"
      onDone={() => toast('Task created.', { action: { label: 'Undo', run: () => toast('Task removed.') } })}
    >
      <FieldRow>
        <TextField label="City Name" name="city" />
        <ChoiceField label="Priority" name="priority" options={priorities} />
      </FieldRow>
      <TextField label="Task Title" name="title" />
      <AreaField label="Description" name="description" isOptional />
    </FormDialog>
  )
}

export function Layers() {
  const [open, setOpen] = useState<'task' | 'stack' | 'upper' | 'palette' | null>(null)
  const [text, setText] = useState('')
  const groups: CommandGroup[] = [
    {
      title: 'Go to',
      commands: places
        .filter((title) => title.toLowerCase().includes(text.toLowerCase()))
        .map((title) => ({ id: title, title, place: 'Growth', run: () => toast(`Opening ${title}`) })),
    },
  ]
  const ask = async () => {
    const question = {
      title: 'Delete this business?',
      body: 'Citrus Belt Brewing has no sessions. Its 3 blocks and 18 allowed addresses go with it.',
      action: 'Delete',
      isDestructive: true,
    }
    toast((await confirm(question)) ? 'Deleted.' : 'Canceled.')
  }
  return (
    <SectionCard title="Layers" hasLine className={styles.half ?? ''}>
      <div className={styles.row}>
        <Button variant="default" onClick={() => setOpen('task')}>
          Form dialog
        </Button>
        <Button variant="default" onClick={() => setOpen('stack')}>
          Dialog stack
        </Button>
        <Button variant="default" onClick={() => void ask()}>
          Confirm
        </Button>
        <Button variant="default" onClick={() => setOpen('palette')}>
          Palette
        </Button>
        <Button variant="default" onClick={() => toast('Session scheduled!')}>
          Toast
        </Button>
        <Button
          variant="default"
          onClick={() =>
            toastFailure('Failed to update status', undefined, {
              detail: 'The ticket was set back to Open.',
              action: { label: 'Retry', run: () => toast('Status updated.') },
            })
          }
        >
          Failure toast
        </Button>
      </div>
      <TaskDialog isOpen={open === 'task'} onClose={() => setOpen(null)} />
      <Dialog
        isOpen={open === 'stack' || open === 'upper'}
        onClose={() => setOpen(null)}
        title="Lower layer"
        context="Escape closes only the top one."
        foot={<Button onClick={() => setOpen('upper')}>Open another</Button>}
      >
        <TextInput label="Text stays" defaultValue="Perris" />
      </Dialog>
      <Dialog
        isOpen={open === 'upper'}
        onClose={() => setOpen('stack')}
        title="Upper layer"
        size={400}
        closesOnOutside={false}
      >
        A click outside does not close this one.
      </Dialog>
      <CommandPalette
        isOpen={open === 'palette'}
        onClose={() => setOpen(null)}
        text={text}
        onText={setText}
        groups={groups}
      />
    </SectionCard>
  )
}
