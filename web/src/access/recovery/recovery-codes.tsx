import { Button } from '@mantine/core'
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react'
import { useEffect } from 'react'
import { Icon } from '#ui/layout/icon.tsx'
import { useCopy } from '../copy-text.ts'
import styles from './recovery-codes.module.css'

const fileOf = (codes: readonly string[]) =>
  ['Recovery codes for Limber. Each works once, at /recovery.', '', ...codes, ''].join('\n')

function download(codes: readonly string[]): void {
  const address = URL.createObjectURL(new Blob([fileOf(codes)], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = address
  link.download = 'limber-recovery-codes.txt'
  link.click()
  URL.revokeObjectURL(address)
}

interface Props {
  codes: readonly string[]
  /** Until then, the browser asks before leaving the page. */
  isSaved: boolean
}

/** Codes that are shown once, to copy or download. */
export function RecoveryCodes({ codes, isSaved }: Props) {
  const { isCopied, copy } = useCopy(codes.join('\n'))
  useEffect(() => {
    if (isSaved) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isSaved])

  return (
    <div className={styles.panel}>
      <p>
        Keep these recovery codes somewhere only you can find them. Each one lets you in once if you lose your device.
        They are not shown again.
      </p>
      <ul className={styles.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={styles.actions}>
        <Button variant="default" leftSection={<Icon of={IconDownload} />} onClick={() => download(codes)}>
          Download
        </Button>
        <Button variant="default" leftSection={<Icon of={isCopied ? IconCheck : IconCopy} />} onClick={copy}>
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
      </div>
    </div>
  )
}
