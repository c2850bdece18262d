import type { TicketFile } from '@limber/contract/support/files/ticket-file.ts'
import { Button } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { downloadUrl, fileUrl } from './file.api.ts'
import styles from './file-preview.module.css'

const PdfPages = lazy(() => import('./pdf-pages.tsx'))

/** A picture or a PDF file in a dialog. */
export default function FilePreview({ file, onClose }: { file: TicketFile; onClose: () => void }) {
  const { id, filename, width, height } = file
  const download = (
    <Button component="a" variant="default" href={downloadUrl(id)} download={filename}>
      Download
    </Button>
  )
  return (
    <Dialog isOpen onClose={onClose} title={filename} size={760} foot={download}>
      {width === null ? (
        <Suspense fallback={<TextSkeleton lines={8} />}>
          <PdfPages url={fileUrl(id)} />
        </Suspense>
      ) : (
        <img className={styles.picture} src={fileUrl(id)} alt={filename} width={width} height={height ?? undefined} />
      )}
    </Dialog>
  )
}
