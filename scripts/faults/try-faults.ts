import { databaseFaults } from './database.ts'
import { openLab } from './lab.ts'
import { clientFaults, clockFaults, diskFaults, processFaults } from './process.ts'
import { type FaultRow, reportFaults } from './report.ts'
import { bucketFaults, hookFaults, type Kind, mailFaults, nameFaults, textFaults } from './services.ts'

// node scripts/faults/try-faults.ts [TIMES] [PART|FAULT...]: breaks what surrounds a process, and the process itself, while people work.
// Nothing that was acknowledged may be lost or done twice. Runs the built server. Writes docs/faults.md.
const TIMES = Number(process.argv[2] ?? 10)
const named = process.argv.slice(3)
const print = (line: string) => process.stdout.write(`${line}\n`)
const lab = await openLab()
process.once('exit', () => lab.remove())

/** The faults by part, and how often each is tried: those that take long less often. */
const parts: Record<string, { kinds: Kind[]; times: number }> = {
  client: { kinds: clientFaults, times: TIMES / 2 },
  database: { kinds: databaseFaults, times: TIMES },
  mail: { kinds: mailFaults, times: TIMES },
  hook: { kinds: hookFaults, times: TIMES },
  texts: { kinds: textFaults, times: TIMES },
  names: { kinds: lab.names ? nameFaults : [], times: TIMES / 2 },
  process: { kinds: processFaults, times: TIMES / 2 },
  clock: { kinds: clockFaults, times: TIMES },
  disk: { kinds: lab.disk.isOwn ? diskFaults : [], times: TIMES / 2 },
  bucket: { kinds: bucketFaults, times: TIMES / 2 },
}

const rows: FaultRow[] = []
let broken = 0
for (const [part, { kinds, times }] of Object.entries(parts)) {
  const wanted = kinds.filter(
    ({ fault }) => named.length === 0 || named.includes(part) || named.some((words) => fault.startsWith(words)),
  )
  if (kinds.length === 0) print(`left out: ${part} (needs root, or libfaketime)`)
  for (const kind of wanted)
    try {
      const row = await kind.run(lab, Math.ceil(times))
      rows.push(row)
      reportFaults('faults', rows)
      print(
        `${row.fault}: ${row.times} times, ${row.acknowledged} acknowledged, ${row.lost} lost, ${row.doubled} doubled, ${row.seconds.toFixed(1)} s`,
      )
    } catch (error) {
      broken += 1
      print(`${kind.fault}: ${error instanceof Error ? error.message : error}`)
    }
}
const bad = rows.filter(({ lost, doubled }) => lost + doubled > 0).length
print(`${rows.reduce((sum, { times }) => sum + times, 0)} faults`)
await lab.close()
print(`${rows.length - bad} passed, ${bad + broken} failed`)
process.exit(bad + broken > 0 ? 1 : 0)
