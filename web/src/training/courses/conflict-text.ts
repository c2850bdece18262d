const MAX_LENGTH = 300
const CONTEXT_LENGTH = 30

/** A form value as text. */
export const formatValue = (value: string | number | readonly (string | number)[] | null | undefined): string =>
  (Array.isArray(value) ? value.join(', ') : String(value ?? '')) || '--'

export const yesNo = (is: boolean | undefined) => (is ? 'Yes' : 'No')

/** All text and numbers inside a value, joined. */
export const textsIn = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? Object.values(value)
        .map(textsIn)
        .filter((text) => text !== '')
        .join(' · ')
    : String(value ?? '')

/** A long text, cut to start shortly before it differs from the other one. */
export function cutAtDifference(text = '', other = ''): string {
  let same = 0
  while (same < text.length && text[same] === other[same]) same += 1
  const start = same === text.length && text === other ? 0 : Math.max(0, same - CONTEXT_LENGTH)
  const cut = text.slice(start, start + MAX_LENGTH)
  return `${start > 0 ? '…' : ''}${cut}${start + MAX_LENGTH < text.length ? '…' : ''}` || '--'
}

/** Removes undefined fields, because an update leaves omitted fields unchanged. */
export const omitUndefined = <F extends object>(fields: F): F =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as F
