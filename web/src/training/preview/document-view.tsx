import type { ContentOf } from '@limber/contract/training/lessons/content.ts'
import { fetchData } from 'pdfjs-dist'
import { useEffect, useRef, useState } from 'react'
import { drawPage, openPdf, type Pdf as PdfFile } from '#ui/document/pdf.ts'
import { download } from './download.ts'
import { Markup } from './markup.tsx'

type Content = ContentOf<'document'>

/** An embedded document; Download only if allowed. */
export default function DocumentView({ content }: { content: Content }) {
  const { url, type, allowDownload } = content
  if (!url) return <p className="missing">Document URL not set</p>
  return (
    <div className="page">
      {type === 'pdf' ? <Pdf key={url} url={url} /> : <TextDocument key={url} url={url} isMarkdown={type === 'md'} />}
      {allowDownload && (
        <div className="row start">
          <button type="button" className="portal-button quiet" onClick={() => download(url)}>
            Download
          </button>
        </div>
      )}
    </div>
  )
}

const LOADING = 'Loading document…'
const failed = <p className="missing">The document cannot be displayed.</p>

function Pdf({ url }: { url: string }) {
  const [file, setFile] = useState<PdfFile | 'failed'>()
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
      // If the page changed in the meantime, the next effect renders it.
      (drawn) => !isGone && setImage(URL.createObjectURL(drawn)),
      () => !isGone && setFile('failed'),
    )
    return () => {
      isGone = true
    }
  }, [file, page])
  useEffect(() => () => URL.revokeObjectURL(image ?? ''), [image])

  if (file === 'failed') return failed
  const pages = file?.numPages ?? 1
  return (
    <section ref={place} className="pdf" aria-label="Document">
      {image && file ? (
        <>
          <img src={image} alt={`Page ${page} of ${pages}`} />
          <div className="row">
            <button
              type="button"
              className="portal-button quiet"
              disabled={page <= 1}
              onClick={() => setPage(page - 1)}
            >
              Previous page
            </button>
            <span className="note" role="status">{`Page ${page} of ${pages}`}</span>
            <button
              type="button"
              className="portal-button quiet"
              disabled={page >= pages}
              onClick={() => setPage(page + 1)}
            >
              Next page
            </button>
          </div>
        </>
      ) : (
        <p className="note">{LOADING}</p>
      )}
    </section>
  )
}

function TextDocument({ url, isMarkdown }: { url: string; isMarkdown: boolean }) {
  const [text, setText] = useState<string | null>()
  useEffect(() => {
    let isGone = false
    fetchData(url, 'text').then(
      (read: unknown) => !isGone && setText(String(read)),
      () => !isGone && setText(null),
    )
    return () => {
      isGone = true
    }
  }, [url])
  if (text === undefined) return <p className="note">{LOADING}</p>
  if (text === null) return failed
  return isMarkdown ? (
    <Markup text={text} formatting="markdown" allowHtml={false} />
  ) : (
    <pre className="text">{text}</pre>
  )
}
