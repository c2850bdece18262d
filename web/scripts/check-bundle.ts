// node web/scripts/check-bundle.ts [folder]: sums the gzipped JavaScript of each screen, and fails above the budget.
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'

const dist = resolve(process.argv[2] ?? join(import.meta.dirname, '../dist'))
const SIGN_IN = 150_000
const SECTION = 250_000
/** Parts that load after their screen shows, with their own budget and the one screen that may load them. */
const LAZY_PARTS = [
  { part: 'src/growth/map/map-pane.tsx', screen: 'src/growth/map/heatmap.screen.tsx', budget: 460_000 },
]

type Chunk = { file: string; imports?: string[]; dynamicImports?: string[]; isEntry?: boolean; assets?: string[] }
const manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>

/** Everything that loads before the given modules run. */
function reach(keys: string[], seen = new Set<string>()): Set<string> {
  for (const key of keys) {
    const chunk = manifest[key]
    if (!chunk || seen.has(key)) continue
    seen.add(key)
    reach(chunk.imports ?? [], seen)
  }
  return seen
}

const sizes = new Map<string, number>()
/** The gzipped size of the modules' files and of the workers they start. */
async function sizeOf(keys: Set<string>): Promise<number> {
  let sum = 0
  for (const file of [...keys].flatMap((key) => [manifest[key]?.file, ...(manifest[key]?.assets ?? [])])) {
    if (!file?.endsWith('.js')) continue
    const size = sizes.get(file) ?? gzipSync(await readFile(join(dist, file)), { level: 9 }).length
    sizes.set(file, size)
    sum += size
  }
  return sum
}

const entry = Object.keys(manifest).filter((key) => manifest[key]?.isEntry)
const screens = Object.keys(manifest).filter((key) => /\.screen\.tsx$/.test(key) && !key.includes('gallery'))
// Dynamic imports of the entry load before sign-in; everything else loads with the app.
const outside = new Set(entry.flatMap((key) => manifest[key]?.dynamicImports ?? []))
const isOutside = (key: string) => outside.has(key)

let failed = 0
for (const screen of screens.sort()) {
  const around = isOutside(screen) ? [] : ['src/app/app.tsx']
  const size = await sizeOf(reach([...entry, ...around, screen]))
  const budget = isOutside(screen) ? SIGN_IN : SECTION
  const isOver = size > budget
  if (isOver) failed += 1
  const figure = `${(size / 1000).toFixed(1)} KB of ${budget / 1000} KB`
  process.stdout.write(`${isOver ? 'OVER ' : 'ok   '} ${screen.replace('src/', '').padEnd(36)} ${figure}\n`)
}
for (const { part, screen, budget } of LAZY_PARTS) {
  const before = reach([...entry, 'src/app/app.tsx', screen])
  const after = new Set([...reach([part])].filter((key) => !before.has(key)))
  const size = await sizeOf(after)
  const askedBy = Object.keys(manifest).filter((key) => manifest[key]?.dynamicImports?.includes(part))
  const isOver = size > budget || before.has(part) || askedBy.join() !== screen
  if (isOver) failed += 1
  const figure = `${(size / 1000).toFixed(1)} KB of ${budget / 1000} KB, loaded by ${askedBy.join(', ')}`
  process.stdout.write(`${isOver ? 'OVER ' : 'ok   '} ${part.replace('src/', '').padEnd(36)} ${figure}\n`)
}
if (screens.length === 0) process.stdout.write('No screens in the manifest. Build first.\n')
process.exitCode = failed > 0 || screens.length === 0 ? 1 : 0
