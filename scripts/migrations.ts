import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { breachesOf } from './migrations/rules.ts'

// node scripts/migrations.ts: a migration must work while processes of the release before run, and without locking a large
// table for long. Checks the migrations after the first release.
const folder = join(import.meta.dirname, '../server/migrations')
const FIRST_CHECKED = '0440'
const files = readdirSync(folder)
  .filter((file) => file.endsWith('.sql'))
  .sort()
let found = 0
for (const file of files.filter((each) => each >= FIRST_CHECKED)) {
  const text = readFileSync(join(folder, file), 'utf8')
  for (const { line, problem } of breachesOf(text)) {
    found += 1
    process.stdout.write(`server/migrations/${file}:${line}: ${problem}\n`)
  }
}
process.exitCode = found > 0 ? 1 : 0
