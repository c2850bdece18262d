import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy } from 'pdfjs-dist'
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'

GlobalWorkerOptions.workerSrc = workerUrl

export type Pdf = PDFDocumentProxy

/** Opens a PDF file. Nothing in it runs: pages are only drawn. */
export const openPdf = (url: string) => getDocument({ url, enableXfa: false })

/** A page rendered as an image. In a frame without scripts, a canvas stays blank. */
export async function drawPage(file: Pdf, page: number, width: number): Promise<Blob> {
  const sheet = await file.getPage(page)
  const scale = Math.min(2, width / sheet.getViewport({ scale: 1 }).width) * (devicePixelRatio || 1)
  const viewport = sheet.getViewport({ scale })
  const canvas = Object.assign(document.createElement('canvas'), { width: viewport.width, height: viewport.height })
  await sheet.render({ canvas, viewport }).promise
  const image = await new Promise<Blob | null>((done) => canvas.toBlob(done))
  if (!image) throw new Error('The page could not be rendered.')
  return image
}
