import { Button, Checkbox } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { useCopy } from '../copy-text.ts'
import styles from './secrets.module.css'

interface Props {
  /** What people call it: `key` or `secret`. */
  kind: 'key' | 'secret'
  /** Who it is for. */
  name: string
  context: string
  secret: string
  onClose: () => void
  children?: ReactNode
}

/** A secret that is shown once. It closes only when the person says that they saved it. */
export function SecretDialog({ kind, name, context, secret, onClose, children }: Props) {
  const [isSaved, setSaved] = useState(false)
  const { isCopied, copy } = useCopy(secret)
  const foot = (
    <Button variant="default" disabled={!isSaved} onClick={onClose}>
      Done
    </Button>
  )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Copy the ${kind} for ${name}`}
      context={context}
      size={640}
      closesOnEscape={false}
      closesOnOutside={false}
      hasCloseButton={false}
      foot={foot}
    >
      <div className={styles.secret}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: so that it can be reached and copied by keyboard */}
        <code tabIndex={0}>{secret}</code>
        <Button leftSection={<Icon of={isCopied ? IconCheck : IconCopy} />} onClick={copy} data-autofocus>
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      {children}
      <Checkbox
        label={`I saved the ${kind} in a safe place`}
        checked={isSaved}
        onChange={(event) => setSaved(event.currentTarget.checked)}
      />
    </Dialog>
  )
}
