const SHOWN = 300
const LEAD = 30

/** A value of a form in words. */
export const textOf = (value: string | number | readonly (string | number)[] | null | undefined): string =>
  (Array.isArray(value) ? value.join(', ') : String(value ?? '')) || '--'

export const yesNo = (is: boolean | undefined) => (is ? 'Yes' : 'No')

/** Every text and figure inside of a content, one after the other. */
export const leavesOf = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? Object.values(value)
        .map(leavesOf)
        .filter((text) => text !== '')
        .join(' · ')
    : String(value ?? '')

/** A long text from a little before the place where it leaves the other one. */
export function fromDifference(text = '', other = ''): string {
  let same = 0
  while (same < text.length && text[same] === other[same]) same += 1
  const start = same === text.length && text === other ? 0 : Math.max(0, same - LEAD)
  const cut = text.slice(start, start + SHOWN)
  return `${start > 0 ? '…' : ''}${cut}${start + SHOWN < text.length ? '…' : ''}` || '--'
}

/** Without what is not there: left out of a change, a field would stay as it is. */
export const withoutMissing = <F extends object>(fields: F): F =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as F
