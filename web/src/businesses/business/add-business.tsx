import { businessLabels, type createBusiness } from '@limber/contract/businesses/business/business.ts'
import { useState } from 'react'
import { z } from 'zod'
import { toast } from '#ui/feedback/toast-store.ts'
import { TextField } from '#ui/form/fields.tsx'
import { Form } from '#ui/form/form.tsx'
import { ZoneField } from '../zones/zone-field.tsx'
import { useCreateBusiness } from './business.api.ts'
import styles from './businesses.module.css'

// Only the server validates. The form just leaves out empty fields.
const Draft = z.object({
  name: z.string().default(''),
  custom_path: z.string().default(''),
  admin_email: z.string().default(''),
  zone_id: z.number().optional(),
})

/** The form below the list: name, custom path, admin email and zone. */
export function AddBusiness({ onCreated }: { onCreated: (id: number) => void }) {
  const [turn, setTurn] = useState(0)
  const create = useCreateBusiness()
  const mutation = {
    mutateAsync: async (draft: z.input<typeof Draft>) => {
      const { name = '', custom_path = '', admin_email = '', zone_id } = draft
      const business = await create.mutateAsync({ name, custom_path, admin_email, zone_id } as z.input<
        typeof createBusiness.body
      >)
      toast(`${business.name} added.`)
      setTurn((before) => before + 1)
      onCreated(business.id)
    },
  }
  return (
    <>
      <h2 className={styles.heading}>Add New</h2>
      <Form key={turn} schema={Draft} mutation={mutation} submit="Create" isQuiet isGuarded>
        <TextField label={businessLabels.name} name="name" />
        <TextField label={businessLabels.custom_path} name="custom_path" />
        <TextField label={businessLabels.admin_email} name="admin_email" type="email" />
        <ZoneField />
      </Form>
    </>
  )
}
