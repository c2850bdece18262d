import { createLead, type LeadDetail } from '@limber/contract/marketing/leads/lead.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { z } from 'zod'
import { currentOf } from '#platform/api/call-failure.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { AreaField } from '#ui/form/fields.tsx'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { useCreateLead } from './lead.api.ts'
import { LeadInputs } from './lead-fields.tsx'
import { nameOf } from './lead-labels.ts'

interface Props {
  onClose: () => void
  onOpen: (id: number) => void
}

/** Adds a lead. If the person already is a lead, offers to open the existing one. */
export function NewLead({ onClose, onOpen }: Props) {
  const create = useCreateLead()
  const [known, setKnown] = useState<LeadDetail>()
  const open = (id: number) => {
    onClose()
    onOpen(id)
  }
  const mutation = {
    mutateAsync: async (draft: z.input<typeof createLead.body>) => {
      setKnown(undefined)
      try {
        const lead = await create.mutateAsync(draft)
        toastUndo(`${nameOf(lead)} added.`, lead)
        onOpen(lead.id)
      } catch (error) {
        setKnown(currentOf<typeof createLead, 'duplicate'>(error, 'duplicate'))
        throw error
      }
    },
  }
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="New Lead"
      context="An email address or a phone number is required."
      submit="Add lead"
      schema={createLead.body}
      initial={{ source: 'manual' }}
      mutation={mutation}
    >
      <LeadInputs />
      <AreaField label="Note" name="note" rows={2} isOptional />
      {known && (
        <Banner
          kind="amber"
          action={
            <Button size="xs" variant="default" onClick={() => open(known.id)}>
              Open {nameOf(known)}
            </Button>
          }
        >
          Continue with the existing lead.
        </Banner>
      )}
    </FormDialog>
  )
}
