const SHOWN = 300
const LEAD = 30

/** A form value as text. */
export const textOf = (value: string | number | readonly (string | number)[] | null | undefined): string =>
  (Array.isArray(value) ? value.join(', ') : String(value ?? '')) || '--'

export const yesNo = (is: boolean | undefined) => (is ? 'Yes' : 'No')

/** All text and numbers inside a value, joined. */
export const leavesOf = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? Object.values(value)
        .map(leavesOf)
        .filter((text) => text !== '')
        .join(' · ')
    : String(value ?? '')

/** A long text, cut to start shortly before it differs from the other one. */
export function fromDifference(text = '', other = ''): string {
  let same = 0
  while (same < text.length && text[same] === other[same]) same += 1
  const start = same === text.length && text === other ? 0 : Math.max(0, same - LEAD)
  const cut = text.slice(start, start + SHOWN)
  return `${start > 0 ? '…' : ''}${cut}${start + SHOWN < text.length ? '…' : ''}` || '--'
}

/** Removes undefined fields, because an update leaves omitted fields unchanged. */
export const withoutMissing = <F extends object>(fields: F): F =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as F
