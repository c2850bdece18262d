import { downloadRecords, MAX_IMPORT_BYTES } from '@limber/contract/imports/import.ts'
import { type ImportResource, importKinds, importResources } from '@limber/contract/imports/import-kinds.ts'
import { readyMaps } from '@limber/contract/imports/ready-maps.ts'
import { formatBytes, formatList } from '@limber/contract/kit/formats/numbers.ts'
import { Button } from '@mantine/core'
import { IconDownload, IconFileUpload } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type DragEvent, useRef, useState } from 'react'
import { messageOf } from '#platform/api/api.ts'
import { addressOf } from '#platform/api/request.ts'
import { hasAccess, useSession } from '#platform/session/session.tsx'
import { Progress } from '#ui/charts/progress.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { uploadFile } from './import.api.ts'
import { linkToImport } from './import-link.ts'
import styles from './upload-step.module.css'
import { Wizard } from './wizard.tsx'

interface Kinds {
  chosen: ImportResource
  kinds: readonly ImportResource[]
  onChoose?: (kind: ImportResource) => void
}

/** What the file contains. It is settled once the file is uploaded. */
export function KindChoice({ chosen, kinds, onChoose }: Kinds) {
  return (
    <SectionCard title="What is in the file">
      <fieldset className={styles.kinds} aria-label="What is in the file" disabled={!onChoose}>
        {kinds.map((kind) => (
          <label key={kind} className={styles.kind}>
            <input type="radio" name="kind" value={kind} checked={kind === chosen} onChange={() => onChoose?.(kind)} />
            {importKinds[kind].label}
          </label>
        ))}
      </fieldset>
    </SectionCard>
  )
}

const readyFor = (kind: ImportResource) =>
  Object.values(readyMaps).flatMap(({ resource, label }) => (resource === kind ? [label] : []))

interface Sending {
  name: string
  share: number
  abort: AbortController
}

/** The first step: what the file contains, and the file, dropped or chosen. */
export function UploadStep({ kind, onKind }: { kind: ImportResource | ''; onKind: (kind: ImportResource) => void }) {
  const session = useSession()
  const kinds = importResources.filter((one) => hasAccess(session, importKinds[one].permission))
  const chosen = kinds.find((one) => one === kind) ?? kinds[0] ?? 'customers'
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const [sending, setSending] = useState<Sending>()
  const [problem, setProblem] = useState<string>()
  const [isOver, setOver] = useState(false)
  const ready = readyFor(chosen)

  const start = async (files: readonly File[]) => {
    const [file, second] = files
    if (!file || sending) return
    if (second) return setProblem('Upload one file at a time.')
    if (file.size > MAX_IMPORT_BYTES)
      return setProblem(`${file.name} has ${formatBytes(file.size)}. A file can have at most 200 MB. Split it.`)
    const abort = new AbortController()
    setProblem(undefined)
    setSending({ name: file.name, share: 0, abort })
    try {
      const onProgress = (share: number) => setSending((before) => before && { ...before, share })
      const { id } = await uploadFile(chosen, file, { signal: abort.signal, onProgress })
      await navigate(linkToImport(id, { step: 'upload' }))
    } catch (error) {
      if (!abort.signal.aborted) setProblem(messageOf(error))
      setSending(undefined)
    }
  }
  const drag = (event: DragEvent) => {
    event.preventDefault()
    setOver(event.type === 'dragover')
  }

  return (
    <Wizard
      title={`Import ${importKinds[chosen].many}`}
      context="Nothing is written before the fourth step."
      step="upload"
    >
      <div className={styles.columns}>
        <KindChoice chosen={chosen} kinds={kinds} {...(!sending && { onChoose: onKind })} />
        <SectionCard title="File">
          <section
            className={styles.drop}
            aria-label="Drop area"
            data-over={isOver || undefined}
            onDragOver={drag}
            onDragLeave={drag}
            onDrop={(event) => {
              drag(event)
              void start([...event.dataTransfer.files])
            }}
          >
            <Icon of={IconFileUpload} size={20} />
            <b>Drop a CSV file here</b>
            <span className={styles.quiet}>
              Comma, semicolon, or tab. UTF-8, UTF-16, or Windows-1252. Up to 200 MB.
            </span>
            <input
              ref={input}
              type="file"
              hidden
              aria-label="CSV file"
              accept=".csv,.tsv,.txt"
              onChange={(event) => {
                const files = [...(event.currentTarget.files ?? [])]
                event.currentTarget.value = ''
                void start(files)
              }}
            />
            <Button variant="default" disabled={sending !== undefined} onClick={() => input.current?.click()}>
              Choose file
            </Button>
          </section>
          {problem && <Banner kind="red">{problem}</Banner>}
          {sending && (
            <div className={styles.sending}>
              <Progress
                label={sending.name}
                done={sending.share}
                total={1}
                {...(sending.share >= 1 && { counts: 'Reading the file' })}
              />
              <Button variant="subtle" color="gray" size="xs" onClick={() => sending.abort.abort()}>
                Cancel upload
              </Button>
            </div>
          )}
        </SectionCard>
        <div className={styles.side}>
          <SectionCard title="Column map">
            <p className={styles.quiet}>
              {ready.length > 0 ? `Exports of ${formatList(ready)} are matched by a ready-made map. ` : ''}
              Columns of other files are matched by their names and values. You can correct each one.
            </p>
          </SectionCard>
          {hasAccess(session, 'access.manage') && (
            <SectionCard title="Move to another Limber">
              <p className={styles.quiet}>
                Download everything that is here as one file, and import it there. Its columns need no map.
              </p>
              <Button
                variant="default"
                leftSection={<Icon of={IconDownload} />}
                renderRoot={(props) => (
                  <a {...props} href={addressOf(downloadRecords, { query: { resource: chosen } })} download />
                )}
              >
                Download all {importKinds[chosen].many}
              </Button>
            </SectionCard>
          )}
        </div>
      </div>
    </Wizard>
  )
}
