import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { drawPage, openPdf, type Pdf } from '#ui/document/pdf.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import styles from './file-preview.module.css'

/** A PDF file, page by page, as images. */
export default function PdfPages({ url }: { url: string }) {
  const [file, setFile] = useState<Pdf | 'failed'>()
  const [page, setPage] = useState(1)
  const [image, setImage] = useState<string>()
  const place = useRef<HTMLElement>(null)

  useEffect(() => {
    const task = openPdf(url)
    task.promise.then(setFile, () => setFile('failed'))
    return () => void task.destroy()
  }, [url])
  useEffect(() => {
    if (!file || file === 'failed') return
    let isGone = false
    drawPage(file, page, place.current?.clientWidth || 760).then(
      (drawn) => !isGone && setImage(URL.createObjectURL(drawn)),
      () => !isGone && setFile('failed'),
    )
    return () => {
      isGone = true
    }
  }, [file, page])
  useEffect(() => () => URL.revokeObjectURL(image ?? ''), [image])

  if (file === 'failed') return <Banner kind="amber">This PDF file cannot be displayed. Download it to read it.</Banner>
  const pages = file?.numPages ?? 1
  return (
    <section ref={place} aria-label="Document">
      {image && file ? (
        <img className={styles.page} src={image} alt={`Page ${page} of ${pages}`} />
      ) : (
        <TextSkeleton lines={8} />
      )}
      {pages > 1 && (
        <div className={styles.pager}>
          <Button variant="default" size="xs" disabled={page <= 1} onClick={() => setPage(page - 1)}>
            Previous page
          </Button>
          <span role="status">{`Page ${page} of ${pages}`}</span>
          <Button variant="default" size="xs" disabled={page >= pages} onClick={() => setPage(page + 1)}>
            Next page
          </Button>
        </div>
      )}
    </section>
  )
}
