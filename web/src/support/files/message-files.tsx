import { formatBytes } from '@limber/contract/kit/formats/numbers.ts'
import type { TicketFile } from '@limber/contract/support/files/ticket-file.ts'
import { IconDownload, IconFile, IconFileTypePdf, IconShieldX } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { Icon } from '#ui/layout/icon.tsx'
import { downloadUrl, fileUrl } from './file.api.ts'
import styles from './message-files.module.css'

const FilePreview = lazy(() => import('./file-preview.tsx'))

const isPdf = ({ type }: TicketFile) => type === 'application/pdf'
/** The size is known only of images that can be shown. */
export const isPicture = ({ width, state }: TicketFile) => width !== null && state === 'ready'

const reasons = {
  unscanned: 'Waiting for the virus scanner',
  infected: 'Not stored: the virus scanner found a virus',
  too_large: 'Not stored: the files of the email have more than 25 MB together',
} as const

/** A picture that opens in a dialog. */
export function FilePicture({ file, onOpen }: { file: TicketFile; onOpen: () => void }) {
  return (
    <button type="button" className={styles.picture} aria-label={`Open ${file.filename}`} onClick={onOpen}>
      <img
        src={fileUrl(file.id)}
        alt={file.filename}
        width={file.width ?? undefined}
        height={file.height ?? undefined}
        loading="lazy"
      />
    </button>
  )
}

function FileRow({ file, onOpen }: { file: TicketFile; onOpen: () => void }) {
  const { id, filename, bytes, state, role } = file
  const name = role === 'original' ? 'Original message' : filename
  if (state !== 'ready')
    return (
      <span className={styles.row} data-state={state}>
        <Icon of={IconShieldX} />
        <b>{name}</b>
        <span className={styles.facts}>{reasons[state]}</span>
      </span>
    )
  return (
    <span className={styles.row}>
      <Icon of={isPdf(file) ? IconFileTypePdf : IconFile} />
      {isPdf(file) ? (
        <button type="button" className={styles.open} onClick={onOpen}>
          {name}
        </button>
      ) : (
        <b>{name}</b>
      )}
      <span className={styles.facts}>{formatBytes(bytes)}</span>
      <a
        className={styles.download}
        href={downloadUrl(id)}
        download={filename}
        aria-label={`Download ${filename}`}
        title="Download"
      >
        <Icon of={IconDownload} size={14} />
      </a>
    </span>
  )
}

/** The dialog with a picture or a PDF file, and a function that opens it. */
export function usePreview() {
  const [file, setFile] = useState<TicketFile>()
  const layer = file && (
    <Suspense>
      <FilePreview file={file} onClose={() => setFile(undefined)} />
    </Suspense>
  )
  return { open: setFile, layer }
}

/** The files of a message: pictures as thumbnails, everything else by name. */
export default function MessageFiles({ files }: { files: readonly TicketFile[] }) {
  const preview = usePreview()
  const pictures = files.filter(isPicture)
  const others = files.filter((file) => !isPicture(file))
  return (
    <>
      {pictures.length > 0 && (
        <ul className={styles.pictures} aria-label="Pictures">
          {pictures.map((file) => (
            <li key={file.id}>
              <FilePicture file={file} onOpen={() => preview.open(file)} />
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <ul className={styles.rows} aria-label="Files">
          {others.map((file) => (
            <li key={file.id}>
              <FileRow file={file} onOpen={() => preview.open(file)} />
            </li>
          ))}
        </ul>
      )}
      {preview.layer}
    </>
  )
}
