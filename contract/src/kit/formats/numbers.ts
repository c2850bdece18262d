/** Makes a value when it is first asked for: the first formatter of Intl takes a while, and some pages need none. */
function lazily<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

const number = lazily(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 }))
const compact = lazily(() => new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 }))
const list = lazily(() => new Intl.ListFormat('en-US'))

/** `13,069`. */
export const formatInteger = (value: number | bigint) =>
  (typeof value === 'bigint' ? value : Math.round(value)).toString().replace(/\B(?=(\d{3})+$)/g, ',')

/** `13,069`, `12.35`. */
export const formatNumber = (value: number) => number().format(value)

/** `950`, `9,500`, `12.5K`, `1.2M`: for the axes of charts. */
export const formatCompact = (value: number) =>
  Math.abs(value) < 10_000 ? formatNumber(value) : compact().format(value)

/** `1 ticket`, `2,340 tickets`, `3 people`. */
export const pluralize = (count: number, one: string, many = `${one}s`) =>
  `${formatInteger(count)} ${count === 1 ? one : many}`

/** `a`, `a and b`, `a, b, and c`. */
export const formatList = (items: readonly string[]) => list().format(items)

/** `87%`, `2.9%`. With `decimals`, exactly that many: `12.0%`. */
export const formatPercent = (percent: number, decimals?: number) =>
  `${decimals === undefined ? Number(percent.toFixed(4)) : percent.toFixed(decimals)}%`

/** The difference of two percentages: `0.09 pts`. */
export const formatPoints = (points: number, decimals: number) => `${points.toFixed(decimals)} pts`

/** `(951) 555-0142`; numbers of other countries stay unchanged. */
export function formatPhone(number: string): string {
  const parts = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(number)
  return parts ? `(${parts[1]}) ${parts[2]}-${parts[3]}` : number
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

/** `812 bytes`, `7.5 MB`, `140 GB`; units of a thousand. */
export function formatBytes(bytes: number): string {
  let [size, unit] = [bytes, 0]
  // Values that would round up to 1000 use the next unit.
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1000
    unit += 1
  }
  return `${unit > 0 && size < 99.95 ? size.toFixed(1) : Math.round(size)} ${UNITS[unit]}`
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** `39 min`, `2 h 10 min`, `3 h`; from 10 hours on without minutes. */
export function formatMinutes(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  if (hours === 0) return `${rest} min`
  return rest === 0 || hours >= 10 ? `${hours} h` : `${hours} h ${rest} min`
}

/** How long something took: `8.3 ms`, `420 ms`, `1.3 s`, `2 min 5 s`, `1 h 3 min`; `--` when unknown. */
export function formatDuration(ms: number | null): string {
  if (ms === null) return '--'
  if (ms < 10) return `${Math.floor(ms * 10) / 10} ms`
  if (ms < SECOND) return `${Math.floor(ms)} ms`
  if (ms < MINUTE) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ${Math.floor((ms % MINUTE) / SECOND)} s`
  return `${Math.floor(ms / HOUR)} h ${Math.floor((ms % HOUR) / MINUTE)} min`
}
