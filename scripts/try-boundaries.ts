import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

// Checks each rule of .dependency-cruiser.cjs against the source and against a deliberate violation, in one run. A rule that
// is not enforced is worse than none.
const root = join(import.meta.dirname, '..')
const samples: Record<string, Record<string, string>> = {
  'no-cycles': {
    'server/src/platform/breach-a.ts': "import './breach-b.ts'\n",
    'server/src/platform/breach-b.ts': "import './breach-a.ts'\n",
  },
  'contract-knows-nobody': { 'contract/src/kit/breach.ts': "import '../../../server/src/platform/clock.ts'\n" },
  'meet-in-contract': { 'web/src/ui/breach.ts': "import '../../../server/src/platform/clock.ts'\n" },
  'areas-meet-at-public': { 'server/src/growth/breach.ts': "import '#access/sessions/session.queries.ts'\n" },
  'base-knows-no-area': { 'server/src/platform/breach.ts': "import '#access/sessions/session.queries.ts'\n" },
  'areas-know-no-app': { 'server/src/growth/breach-app.ts': "import '../app.ts'\n" },
  'factories-stay-in-tests': { 'server/src/growth/breach-factory.ts': "import '#access/workers/worker.factory.ts'\n" },
  'rules-are-pure': { 'server/src/growth/breach.rules.ts': "import '#platform/db/db.ts'\n" },
  'only-queries-touch-sql': { 'server/src/growth/breach.routes.ts': "import { sql } from 'kysely'\nsql\n" },
  'examples-know-only-the-api': { 'examples/customer-app/breach.ts': "import '../../contract/src/kit/money.ts'\n" },
}

function findViolations(): string {
  try {
    return execFileSync(
      join(root, 'node_modules/.bin/depcruise'),
      [
        '--config',
        '.dependency-cruiser.cjs',
        '--output-type',
        'err',
        'contract/src',
        'server/src',
        'seed',
        'examples',
        'web/src',
      ],
      { cwd: root, encoding: 'utf8', stdio: 'pipe' },
    )
  } catch (error) {
    return String((error as { stdout: string }).stdout)
  }
}

/** The output of the check while all sample violations are in place. Each has its own files, so one run finds them all. */
function checkWithSamples(): string {
  const files = Object.values(samples).flatMap((each) => Object.entries(each))
  try {
    for (const [path, text] of files) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    return findViolations()
  } finally {
    for (const [path] of files) rmSync(join(root, path), { force: true })
  }
}

const found = checkWithSamples()
const samplePaths = Object.values(samples).flatMap((each) => Object.keys(each))
const real = found
  .split('\n')
  .filter((line) => /^\s*(error|warn) /.test(line) && !samplePaths.some((path) => line.includes(path)))
for (const line of real) process.stdout.write(`${line}\n`)
let failed = real.length
for (const [rule, files] of Object.entries(samples)) {
  const isEnforced = Object.keys(files).some((path) =>
    new RegExp(`error ${rule}: ${path.replaceAll('.', '[.]')}`).test(found),
  )
  if (!isEnforced) failed++
  process.stdout.write(`${isEnforced ? 'enforced' : 'NOT ENFORCED'}  ${rule}\n`)
}
process.stdout.write(`${failed === 0 ? 'No violations, and every rule is enforced.' : `${failed} failed.`}\n`)
process.exitCode = failed > 0 ? 1 : 0
