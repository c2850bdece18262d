import { correctProfile, type Profile } from '@limber/contract/access/profile/profile.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { TextField } from '#ui/form/fields.tsx'
import { useCorrectProfile } from './profile.api.ts'

/** Owners edit their own name and email, because there may be no one else who can. */
export function ProfileEdit({ profile }: { profile: Profile }) {
  // The version the form was opened with, so that a concurrent change is detected.
  const [base, setBase] = useState<Profile>()
  const correct = useCorrectProfile()
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setBase(profile)}>
        Edit
      </Button>
      {base && (
        <FormDialog
          isOpen
          onClose={() => setBase(undefined)}
          title="Edit your name and email"
          context="You sign in with this email and receive codes and links there. Both addresses get an email. You confirm with your passkey."
          submit="Save"
          schema={correctProfile.body}
          initial={{ name: base.name, email: base.email }}
          fixed={{ version: base.version }}
          mutation={correct}
          onDone={() => toast('Saved.')}
        >
          <TextField label="Name" name="name" />
          <TextField label="Email" name="email" type="email" />
        </FormDialog>
      )}
    </>
  )
}
