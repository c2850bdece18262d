import { DAY, HOUR, MINUTE, SECOND } from '#platform/clock.ts'

const units = ['bytes', 'KB', 'MB', 'GB', 'TB']

/** `1.4 GB`; units of a thousand. */
export function sizeText(bytes: number): string {
  let size = bytes
  let unit = 0
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000
    unit += 1
  }
  return `${unit > 0 && size < 100 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`
}

/** `3 days`, `2 h 5 min`, `40 s`. */
export function spanText(ms: number): string {
  const size = Math.max(0, ms)
  if (size < MINUTE) return `${Math.round(size / SECOND)} s`
  if (size < HOUR) return `${Math.floor(size / MINUTE)} min`
  if (size < DAY) return `${Math.floor(size / HOUR)} h ${Math.floor((size % HOUR) / MINUTE)} min`
  const days = Math.floor(size / DAY)
  return days === 1 ? '1 day' : `${days} days`
}

export const countText = (count: number) => count.toLocaleString('en-US')

/** `1 mail`, `3 mails`. */
export const several = (count: number, word: string) => `${countText(count)} ${word}${count === 1 ? '' : 's'}`
