import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestGraph, type TestGraph } from '#marketing/meta/meta.testing.ts'
import { readConfig } from '#platform/config.ts'
import { randomToken } from '#platform/security/secrets.ts'
import { copyTemplate, type TestDatabase } from '#platform/testing/testing.ts'
import { type FakeTwilio, startFakeTwilio } from '#support/texts/twilio.testing.ts'
import { withClient } from '../embedded/database.ts'
import { findProblems } from './doctor.ts'

let database: TestDatabase
let twilio: FakeTwilio
let graph: TestGraph
let folder: string
beforeAll(async () => {
  database = await copyTemplate()
  twilio = await startFakeTwilio()
  graph = await startTestGraph()
  folder = await mkdtemp(join(tmpdir(), 'limber-doctor-'))
})
afterAll(async () => {
  await graph.close()
  await twilio.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

/** Problems by name, without the missing first backup. */
async function problems(env: NodeJS.ProcessEnv = {}) {
  const found = await findProblems(
    readConfig({
      DATABASE_URL: database.url,
      PUBLIC_URL: 'http://localhost:3000',
      SECRET_KEY: 'test-secret-key-0123456789-abcdefghijklmnopqrstuvwxyz',
      BACKUP_KEY: 'test-backup-key-0123456789-abcdefghijklmnopqrstuvwxyz',
      LIMBER_EMBEDDED: '1',
      LIMBER_STORAGE: folder,
      ...twilio.env,
      ...graph.env,
      ...env,
    }),
  )
  return Object.fromEntries(
    found.flatMap(({ name, problem }) => (problem && name !== 'backups' ? [[name, problem]] : [])),
  )
}

it('reports no problems when everything responds, including Twilio and Meta', async () => {
  expect(await problems()).toEqual({})
  expect(graph.asked).toEqual([expect.stringContaining('/me')])
})

it('checks the lead subscription of the page, and reports a page without access', async () => {
  graph.asked.length = 0
  expect(await problems(graph.adEnv)).toEqual({})
  expect(graph.asked.at(-1)).toMatch('/subscribed_apps')
  const { token } = graph.page
  graph.page.token = undefined
  expect(await problems(graph.adEnv)).toEqual({ ads: expect.stringContaining('has no access to the page') })
  graph.page.token = token
})

it('reports a text service and an ad account that do not respond', async () => {
  twilio.feel('closed')
  graph.faults.push({ status: 401, error: { code: 190, message: 'The token is not valid.' } })
  expect(Object.keys(await problems())).toEqual(['texts', 'ads'])
  twilio.feel('well')
})

it('reports a backup storage that cannot be written and a role that cannot create databases', async () => {
  const role = `doctor_${randomToken(6).toLowerCase().replace(/\W/g, '_')}`
  const scratch = Object.assign(new URL(database.url), { username: role, password: 'doctor' })
  await withClient(database.url, (client) => client.query(`create role ${role} login password 'doctor'`))
  try {
    // A file instead of a folder.
    await writeFile(join(folder, 'full'), '')
    const env = { BACKUP_STORAGE: join(folder, 'full'), BACKUP_SCRATCH_URL: scratch.href }
    expect(await problems(env)).toEqual({
      'backup store': expect.any(String),
      'backup check': expect.stringContaining('cannot create databases'),
    })
  } finally {
    await withClient(database.url, (client) => client.query(`drop role ${role}`))
  }
})
