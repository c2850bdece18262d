import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { z } from 'zod'
import { defineCall } from '../../contract/src/kit/call.ts'
import { makeOpenApi } from '../../server/src/platform/http/openapi.ts'
import { lintOpenApi } from './lint.ts'

const folder = await mkdtemp(join(tmpdir(), 'limber-lint-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

async function lint(changes: { replyExample?: unknown; summary?: string }) {
  const call = defineCall({
    method: 'GET',
    path: '/api/v1/things',
    summary: 'List things',
    permission: 'api-key',
    reply: z.object({ count: z.int() }),
    replyExample: { count: 1 },
    ...changes,
  })
  const file = join(folder, 'openapi.json')
  await writeFile(file, JSON.stringify(makeOpenApi([call], 'https://limber.test')))
  return lintOpenApi(file)
}

it('accepts a call with a fitting example', { timeout: 120_000 }, async () => {
  expect(await lint({})).toMatchObject({ isValid: true })
})
it('finds an example that does not fit its schema', { timeout: 120_000 }, async () => {
  const { isValid, output } = await lint({ replyExample: { count: 'many' } })
  expect(output).toContain('no-invalid-media-type-examples')
  expect(isValid).toBe(false)
})
it('finds a call without a summary', { timeout: 120_000 }, async () => {
  const { isValid, output } = await lint({ summary: '' })
  expect(output).toContain('operation-summary')
  expect(isValid).toBe(false)
})
