import { join } from 'node:path'
import { webBuild } from '../server/src/embedded/web-build.ts'

const { isStale, build } = await webBuild(join(import.meta.dirname, '..'))
if (isStale) await build(new AbortController().signal)
process.stdout.write(isStale ? 'built\n' : 'up to date\n')
