import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'test-results/faults')

export interface FaultRow {
  fault: string
  /** How often it happened. */
  times: number
  acknowledged: number
  lost: number
  doubled: number
  /** The longest time without service, in seconds. */
  seconds: number
}

const HEAD = `# Faults

Written by \`npm run test:failover\` and \`npm run test:faults\`. Each fault happened while people worked; every acknowledged
write was looked for afterwards. A delivery that was sent twice under one key (the Message-ID of an email, the id of an event)
counts as once, because its receiver can tell.

| Fault | Times | Acknowledged | Lost | Doubled | Longest time without service |
|---|---|---|---|---|---|
`

const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as FaultRow[]

/** Keeps what a suite found, beside its other faults, and writes the table of all suites to docs/faults.md. */
export function reportFaults(suite: string, rows: readonly FaultRow[]): void {
  mkdirSync(folder, { recursive: true })
  const file = `${suite}.json`
  const before = readdirSync(folder).includes(file) ? read(file) : []
  const found = new Map([...before, ...rows].map((row) => [row.fault, row]))
  writeFileSync(join(folder, file), JSON.stringify([...found.values()]))
  const all = readdirSync(folder).sort().flatMap(read)
  const sum = (pick: (row: FaultRow) => number) => all.reduce((total, row) => total + pick(row), 0)
  const line = (row: FaultRow, seconds = `${row.seconds.toFixed(1)} s`) =>
    `| ${row.fault} | ${row.times} | ${row.acknowledged} | ${row.lost} | ${row.doubled} | ${seconds} |\n`
  const total: FaultRow = {
    fault: `all ${all.length} kinds`,
    times: sum((row) => row.times),
    acknowledged: sum((row) => row.acknowledged),
    lost: sum((row) => row.lost),
    doubled: sum((row) => row.doubled),
    seconds: 0,
  }
  writeFileSync(join(root, 'docs/faults.md'), HEAD + all.map((row) => line(row)).join('') + line(total, ''))
}
