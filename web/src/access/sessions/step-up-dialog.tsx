import { finishStepUp, startStepUp } from '@limber/contract/access/sessions/session.ts'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '#platform/api/api.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { FailureNote } from '../failure-note.tsx'
import { cancelPasskey, NO_PASSKEYS, provePasskey, supportsPasskeys } from '../passkeys/passkey.ts'
import { attempt } from '../sign-in/step-failure.ts'

interface Props {
  /** The server's reason for asking. */
  reason: string
  onAnswer: (isConfirmed: boolean) => void
}

async function confirmPasskey(): Promise<void> {
  const { options } = await attempt('Failed to verify passkey', send(startStepUp, { body: {} }))
  const credential = await provePasskey(options)
  await attempt('Failed to verify passkey', send(finishStepUp, { body: { credential } }))
}

/** Asks for the passkey before a sensitive change. */
export default function StepUpDialog({ reason, onAnswer }: Props) {
  const [isOpen, setOpen] = useState(true)
  const isPossible = supportsPasskeys()
  const answer = (isConfirmed: boolean) => {
    setOpen(false)
    onAnswer(isConfirmed)
  }
  const confirm = useMutation({ mutationFn: confirmPasskey, onSuccess: () => answer(true) })
  const cancel = () => {
    cancelPasskey()
    answer(false)
  }
  const foot = (
    <>
      <Button variant="default" onClick={cancel}>
        Cancel
      </Button>
      <Button data-autofocus loading={confirm.isPending} disabled={!isPossible} onClick={() => confirm.mutate()}>
        Use passkey
      </Button>
    </>
  )
  return (
    <Dialog isOpen={isOpen} onClose={cancel} title="Confirm with your passkey" size={400} foot={foot}>
      <p>{reason} You are not asked again for ten minutes.</p>
      {isPossible ? <FailureNote error={confirm.error} /> : <Banner kind="red">{NO_PASSKEYS}</Banner>}
    </Dialog>
  )
}
