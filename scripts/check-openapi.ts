/** Lints the OpenAPI document of all calls, with its examples, by the rules in `openapi/redocly.yaml`. Needs no network. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calls } from '../contract/src/calls.ts'
import { makeOpenApi } from '../server/src/platform/http/openapi.ts'
import { lintOpenApi } from './openapi/lint.ts'

const folder = await mkdtemp(join(tmpdir(), 'limber-openapi-'))
const file = join(folder, 'openapi.json')
try {
  await writeFile(file, JSON.stringify(makeOpenApi(calls, 'https://limber.test')))
  const { isValid, output } = await lintOpenApi(file)
  process.stdout.write(output)
  if (!isValid) process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
