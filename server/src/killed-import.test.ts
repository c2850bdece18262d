// @module-tag slow
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { applyImport, undoImport } from '@limber/contract/imports/import.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { importTesting } from '#imports/imports.testing.ts'
import { bundledProgram } from '#platform/testing/testing.programs.ts'
import { rounds } from '#platform/testing/testing.rounds.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { importTargets } from './app.ts'

const program = new URL('./killed-import.testing.ts', import.meta.url)
const ROWS = 4000

let server: TestServer
let owner: TestCaller
beforeAll(async () => {
  server = await startTestServer()
  owner = server.asOwner({ isSteppedUp: true })
})
afterAll(() => server.stop())
const { check, read, run, paramsOf } = importTesting(
  () => server,
  () => owner,
  importTargets,
)

/** Lets another process run the import, and kills it a moment after so many rows. */
async function killAfter(id: number, rows: number) {
  const { config } = server.running.services
  const child = spawn(process.execPath, [await bundledProgram(program)], {
    env: {
      ...process.env,
      DATABASE_URL: config.databaseUrl,
      PUBLIC_URL: config.publicUrl,
      PORT: '0',
      SECRET_KEY: config.secretKey,
      LIMBER_STORAGE: config.storagePath,
      LIMBER_EMBEDDED: '1',
      LOG_LEVEL: 'silent',
      IMPORT_ID: String(id),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  await vi.waitFor(async () => expect((await read(id)).progress.done).toBeGreaterThanOrEqual(rows), {
    timeout: 120_000,
    interval: 5,
  })
  await setTimeout(randomInt(0, 40))
  child.kill('SIGKILL')
  await ended
  // Its lease expires on the database's clock.
  await sql`update imports set beat_at = beat_at - interval '1 minute'`.execute(server.db)
}

const counted = async () => {
  const { rows } = await sql<{ count: number; different: number }>`
    select count(*) as count, count(distinct email) as different from customers`.execute(server.db)
  return rows[0]
}

it('goes on after a kill, without a row twice, in the apply and in the undo', { timeout: 600_000 }, async () => {
  const content = [
    'ID,First name,Last name,Email',
    ...Array.from({ length: ROWS }, (_, n) => `c-${n},Ada,Diaz,person${n}@example.com`),
  ].join('\n')
  for (let round = 0; round < rounds(1, 10); round++) {
    const { id } = await check('customers', content)
    await owner.send(applyImport, { ...paramsOf(id), body: {} })
    await killAfter(id, randomInt(1, ROWS / 2))
    expect(await run(id)).toMatchObject({ state: 'applied', counts: { created: ROWS, changed_since: 0 } })
    expect(await counted()).toEqual({ count: ROWS, different: ROWS })
    await owner.send(undoImport, paramsOf(id))
    await killAfter(id, randomInt(1, ROWS / 2))
    expect(await run(id)).toMatchObject({ state: 'undone', counts: { undone: ROWS, kept: 0 } })
    expect(await counted()).toEqual({ count: 0, different: 0 })
    await sql`delete from imports`.execute(server.db)
  }
})
