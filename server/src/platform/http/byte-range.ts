/**
 * The part of a file that a Range header asks for. `undefined`: the whole file, also for unsupported headers. `none`: the
 * part is out of range.
 */
export function readRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'none' | undefined {
  const asked = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '')
  if (!asked || (asked[1] === '' && asked[2] === '')) return undefined
  const [, from = '', to = ''] = asked
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (start >= size || (from === '' && Number(to) === 0)) return 'none'
  return end < start ? undefined : { start, end }
}

/** A Content-Disposition header that every browser understands. */
export function dispositionOf(kind: 'inline' | 'attachment', filename: string): string {
  const ascii = filename.replace(/[^\w .()-]/g, '_')
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
