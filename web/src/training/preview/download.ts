import { FILES_PATH } from '@limber/contract/training/values.ts'

/** Saves a file by the page around: the frame of a course may not download. */
export function download(address: string): void {
  const link = document.createElement('a')
  link.href = address.startsWith(FILES_PATH) ? `${address}?download=1` : address
  link.rel = 'noopener noreferrer'
  link.target = '_blank'
  link.download = ''
  link.click()
}
