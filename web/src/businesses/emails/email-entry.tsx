import { readAddress } from '@limber/contract/businesses/emails/allowed-email.ts'
import { formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { foldCase } from '@limber/contract/kit/values.ts'
import { Button, TextInput } from '@mantine/core'
import { IconFileImport, IconPlus, IconUpload } from '@tabler/icons-react'
import { type FormEvent, useRef, useState } from 'react'
import { Progress } from '#ui/charts/progress.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { LeaveGuard } from '#ui/form/leave-guard.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { attempt } from '../business/attempt.ts'
import { useUploadEmails } from './email.api.ts'
import styles from './email-list.module.css'
import { useImport } from './use-import.ts'

const SHOWN = 3

/** The blank row, the addresses waiting for upload, Import and Upload. */
export function EmailEntry({ businessId }: { businessId: number }) {
  const file = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [pending, setPending] = useState<readonly string[]>([])
  const upload = useUploadEmails(businessId)
  const importer = useImport(businessId)

  const add = (event: FormEvent) => {
    event.preventDefault()
    const address = foldCase(typed.trim())
    if (address === '') return
    if (!readAddress(address)) return toastFailure('Invalid email format.')
    if (!pending.includes(address)) setPending([...pending, address])
    setTyped('')
  }
  const importFile = async (chosen: File) => {
    const found = await importer.bring(chosen, pending)
    if (found) setPending([...pending, ...found])
  }
  const send = () => {
    const last = readAddress(typed)
    const addresses = [...new Set(last ? [...pending, last] : pending)]
    if (addresses.length === 0) return toastFailure('No valid emails to upload.')
    void attempt(upload.send(addresses), (outcome) => {
      const { added, skipped } = outcome
      const known = skipped > 0 ? `, ${formatInteger(skipped)} were already on the list` : ''
      toast('Emails uploaded.', { detail: `${formatInteger(added)} added${known}.` })
      setPending([])
      if (last || typed.trim() === '') setTyped('')
      else
        toastFailure('Invalid email format.', undefined, { detail: 'The address in the blank row was not uploaded.' })
      importer.conclude(outcome)
    })
  }
  const drop = () => {
    setPending([])
    importer.forget()
  }
  const isUploading = upload.share !== null
  const isBusy = importer.isReading || isUploading
  const progress = importer.progress ?? upload.share
  return (
    <>
      <form className={styles.entry} noValidate onSubmit={add}>
        <TextInput
          type="email"
          aria-label="New address"
          placeholder="name@example.com"
          value={typed}
          disabled={isBusy}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" leftSection={<Icon of={IconPlus} />} disabled={isBusy}>
          Add
        </Button>
      </form>
      {pending.length > 0 && !isUploading && (
        <div className={styles.pending}>
          <span role="status">{pluralize(pending.length, 'address', 'addresses')} to upload</span>
          <Button variant="subtle" color="gray" size="compact-xs" onClick={drop}>
            Clear
          </Button>
          <span className={styles.few}>
            {pending.slice(0, SHOWN).map((address) => (
              <span key={address}>{address}</span>
            ))}
            {pending.length > SHOWN && <span>and {formatInteger(pending.length - SHOWN)} more</span>}
          </span>
        </div>
      )}
      {importer.summary && !isUploading && (
        <Banner kind={importer.summary.hasProblem ? 'amber' : 'green'} onDismiss={importer.forget}>
          {importer.summary.text}
        </Banner>
      )}
      <LeaveGuard isDirty={pending.length > 0 && !isUploading} record="business" />
      {progress && (
        <Progress
          label={importer.progress ? 'Reading the file' : 'Uploading...'}
          done={progress.done}
          total={progress.total}
          {...(isUploading && progress.total > 10_000
            ? { note: 'The upload continues while you work elsewhere in Limber.' }
            : {})}
          counts={`${formatInteger(progress.done)} of ${formatInteger(progress.total)}`}
        />
      )}
      <div className={styles.buttons}>
        <input
          ref={file}
          type="file"
          hidden
          aria-label="Import addresses"
          accept=".txt,.csv,.env"
          onChange={(event) => {
            const [chosen] = event.currentTarget.files ?? []
            if (chosen) void importFile(chosen)
            event.currentTarget.value = ''
          }}
        />
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon of={IconFileImport} />}
          disabled={isBusy}
          onClick={() => file.current?.click()}
        >
          Import
        </Button>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon of={IconUpload} />}
          disabled={isBusy}
          aria-busy={isUploading}
          onClick={send}
        >
          {isUploading ? 'Uploading...' : 'Upload'}
        </Button>
        <span className={styles.kinds}>.txt, .csv, .env</span>
      </div>
    </>
  )
}
