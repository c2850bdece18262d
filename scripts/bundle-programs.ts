import { glob } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { bundleServer } from './bundle-server.ts'

// node scripts/bundle-programs.ts FOLDER: bundles the programs that server tests start and kill.
const [folder] = process.argv.slice(2)
if (!folder) throw new Error('Name the folder of the bundle.')
const programs: Record<string, string> = { main: 'server/src/main.ts' }
const cwd = join(import.meta.dirname, '..')
for await (const file of glob('server/src/**/killed-*.testing.ts', { cwd })) programs[basename(file, '.ts')] = file
await bundleServer(programs, folder)
