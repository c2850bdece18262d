import { businessLabels, type createBusiness } from '@limber/contract/businesses/business/business.ts'
import { z } from 'zod'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { TextField } from '#ui/form/fields.tsx'
import { ZoneField } from '../zones/zone-field.tsx'
import { useCreateBusiness } from './business.api.ts'

// Only the server validates. The form just leaves out empty fields.
const Draft = z.object({
  name: z.string().default(''),
  custom_path: z.string().default(''),
  admin_email: z.string().default(''),
  zone_id: z.number().optional(),
})

interface Props {
  onClose: () => void
  onCreated: (id: number) => void
}

/** Asks for the name, custom path, admin email and zone of a new business. */
export default function AddBusiness({ onClose, onCreated }: Props) {
  const create = useCreateBusiness()
  const mutation = {
    mutateAsync: async (draft: z.input<typeof Draft>) => {
      const { name = '', custom_path = '', admin_email = '', zone_id } = draft
      const business = await create.mutateAsync({ name, custom_path, admin_email, zone_id } as z.input<
        typeof createBusiness.body
      >)
      toast(`${business.name} added.`)
      onCreated(business.id)
    },
  }
  return (
    <FormDialog isOpen onClose={onClose} title="Add New business" submit="Create" schema={Draft} mutation={mutation}>
      <TextField label={businessLabels.name} name="name" />
      <TextField label={businessLabels.custom_path} name="custom_path" />
      <TextField label={businessLabels.admin_email} name="admin_email" type="email" />
      <ZoneField />
    </FormDialog>
  )
}
