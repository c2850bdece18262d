import { Button, TextInput } from '@mantine/core'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { useCopy } from '../copy-text.ts'
import styles from '../profile/profile.module.css'

/** Shows an onboarding link once, for installations without a mail server. */
export function LinkDialog({ name, link, onClose }: { name: string; link: string; onClose: () => void }) {
  const { isCopied, copy } = useCopy(link)
  const foot = (
    <>
      <Button variant="default" onClick={onClose}>
        Close
      </Button>
      <Button onClick={copy}>{isCopied ? 'Copied' : 'Copy link'}</Button>
    </>
  )
  return (
    <Dialog isOpen onClose={onClose} title={`Onboarding link for ${name}`} foot={foot} closesOnOutside={false}>
      <div className={styles.lines}>
        <p>
          No mail server is set up, so give them this link yourself. Whoever opens it first becomes {name}, so use a
          private channel.
        </p>
        <TextInput label="Link" value={link} readOnly onFocus={(event) => event.currentTarget.select()} />
        <p>The link works for seven days and is shown only once. Older links no longer work.</p>
      </div>
    </Dialog>
  )
}
