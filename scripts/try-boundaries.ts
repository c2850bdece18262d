import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

// Checks the import rules of .dependency-cruiser.cjs, and knip's search for unused code, against the source and against
// deliberate violations, in one run. A rule that is not enforced is worse than none.
const root = join(import.meta.dirname, '..')
const importRules: Record<string, Record<string, string>> = {
  'no-cycles': {
    'server/src/platform/breach-a.ts': "import './breach-b.ts'\n",
    'server/src/platform/breach-b.ts': "import './breach-a.ts'\n",
    'web/src/ui/breach-a.ts': "import './breach-b.ts'\n",
    'web/src/ui/breach-b.ts': "import './breach-a.ts'\n",
  },
  'contract-knows-nobody': { 'contract/src/kit/breach.ts': "import '../../../server/src/platform/clock.ts'\n" },
  'meet-in-contract': { 'web/src/ui/breach.ts': "import '../../../server/src/platform/clock.ts'\n" },
  'areas-meet-at-public': {
    'server/src/growth/breach.ts': "import '#access/sessions/session.queries.ts'\n",
    'web/src/growth/breach.ts': "import '#access/workers/worker-labels.ts'\n",
  },
  'base-knows-no-area': {
    'server/src/platform/breach.ts': "import '#access/sessions/session.queries.ts'\n",
    'web/src/platform/breach.ts': "import '#access/workers/worker-labels.ts'\n",
  },
  'areas-know-no-app': {
    'server/src/growth/breach-app.ts': "import '../app.ts'\n",
    'web/src/growth/breach-app.ts': "import '../app/app.tsx'\n",
  },
  'factories-stay-in-tests': { 'server/src/growth/breach-factory.ts': "import '#access/workers/worker.factory.ts'\n" },
  'rules-are-pure': { 'server/src/growth/breach.rules.ts': "import '#platform/db/db.ts'\n" },
  'only-queries-touch-sql': { 'server/src/growth/breach.routes.ts': "import { sql } from 'kysely'\nsql\n" },
  'examples-know-only-the-api': { 'examples/customer-app/breach.ts': "import '../../contract/src/kit/money.ts'\n" },
}
const unusedCode: Record<string, string> = {
  'contract/src/kit/breach-unused.ts': 'export const neverUsed = 1\n',
  'server/src/platform/breach-unused.ts': 'export const neverUsed = 1\n',
  'web/src/ui/breach-unused.ts': 'export const neverUsed = 1\n',
}
const files: Record<string, string> = Object.assign({}, ...Object.values(importRules), unusedCode)

/** What a tool prints, whether or not it fails. */
const run = (tool: string, ...args: string[]) =>
  new Promise<string>((resolve) => {
    execFile(join(root, 'node_modules/.bin', tool), args, { cwd: root, maxBuffer: 64e6 }, (_error, output, errors) =>
      resolve(output || errors),
    )
  })

const SOURCES = ['contract/src', 'server/src', 'seed', 'examples', 'web/src']

/** The output of both tools while all violations are in place. Each has its own files, so one run finds them all. */
async function checkWithViolations() {
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    return await Promise.all([
      run('depcruise', '--config', '.dependency-cruiser.cjs', '--output-type', 'err', ...SOURCES),
      run('knip', '--reporter', 'compact'),
    ])
  } finally {
    for (const path of Object.keys(files)) rmSync(join(root, path), { force: true })
  }
}

const [imports, unused] = await checkWithViolations()
const isReal = (line: string) => line !== '' && !Object.keys(files).some((path) => line.includes(path))
const real = [
  ...imports.split('\n').filter((line) => /^\s*(error|warn) /.test(line) && isReal(line)),
  ...unused.split('\n').filter((line) => !/^[A-Z][\w ]+ \(\d+\)$/.test(line) && isReal(line)),
]
for (const line of real) process.stdout.write(`${line}\n`)

let failed = real.length
const report = (name: string, isEnforced: boolean) => {
  if (!isEnforced) failed++
  process.stdout.write(`${isEnforced ? 'enforced' : 'NOT ENFORCED'}  ${name}\n`)
}
for (const [rule, breach] of Object.entries(importRules)) {
  const isFound = (path: string) => new RegExp(`error ${rule}: ${path.replaceAll('.', '[.]')}`).test(imports)
  // One line names a cycle, at any of its files.
  const packages = Map.groupBy(Object.keys(breach), (path) => path.split('/')[0])
  report(
    rule,
    [...packages.values()].every((paths) => paths.some(isFound)),
  )
}
for (const path of Object.keys(unusedCode)) report(`unused code: ${dirname(path)}`, unused.includes(path))
process.stdout.write(`${failed === 0 ? 'No violations, and every rule is enforced.' : `${failed} failed.`}\n`)
process.exitCode = failed > 0 ? 1 : 0
