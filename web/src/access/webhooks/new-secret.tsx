import { Button, Checkbox } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { momentText } from '#ui/format/moment-text.ts'
import { Icon } from '#ui/layout/icon.tsx'
import keys from '../api-keys/api-keys.module.css'
import { useCopy } from '../copy-text.ts'
import type { NewSecret as Made } from './endpoint-form.tsx'
import { endpointName } from './webhook-labels.ts'

/** The secret of an endpoint, shown once. It closes only when the person says that they kept it. */
export function NewSecret({ made: { endpoint, secret }, onClose }: { made: Made; onClose: () => void }) {
  const [isKept, setKept] = useState(false)
  const { isCopied, copy } = useCopy(secret)
  const foot = (
    <Button variant="default" disabled={!isKept} onClick={onClose}>
      Done
    </Button>
  )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Copy the secret for ${endpointName(endpoint)}`}
      context="It is shown once. The receiver verifies the signature of each request with it."
      size={640}
      closesOnEscape={false}
      closesOnOutside={false}
      hasCloseButton={false}
      foot={foot}
    >
      <div className={keys.secret}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: so that it can be reached and copied by keyboard */}
        <code tabIndex={0}>{secret}</code>
        <Button leftSection={<Icon of={isCopied ? IconCheck : IconCopy} />} onClick={copy} data-autofocus>
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      {endpoint.rotation && (
        <p className={keys.waiting}>
          Requests are also signed with the old secret until {momentText(endpoint.rotation.oldEndsAt)}.
        </p>
      )}
      <Checkbox
        label="I put the secret in a safe place"
        checked={isKept}
        onChange={(event) => setKept(event.currentTarget.checked)}
      />
    </Dialog>
  )
}
