import { FILES_PATH } from '@limber/contract/training/values.ts'

/** Downloads a file through the parent page, because the sandboxed frame may not. */
export function download(address: string): void {
  const link = document.createElement('a')
  link.href = address.startsWith(FILES_PATH) ? `${address}?download=1` : address
  link.rel = 'noopener noreferrer'
  link.target = '_blank'
  link.download = ''
  link.click()
}
