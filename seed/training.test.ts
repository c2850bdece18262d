import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPool } from '@limber/server/platform/db/pool.ts'
import { randomToken } from '@limber/server/platform/security/secrets.ts'
import { diskStorage } from '@limber/server/platform/storage/storage-disk.ts'
import { copyTemplate, TEST_NOW } from '@limber/server/platform/testing/testing.ts'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PART_SIZE } from './seed-company.testing.ts'
import { seedCompany } from './seed-company.ts'
import { seeders } from './seeders.ts'

const folder = join(tmpdir(), `limber-seed-${randomToken(6)}`)
const storage = diskStorage(folder)
let pool: pg.Pool
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await copyTemplate()
  drop = database.drop
  const needed = ['Staff', 'Zones', 'People', 'Training']
  const selected = seeders.filter(({ name }) => needed.includes(name) || /people|customers|zones|staff/i.test(name))
  await seedCompany(database.url, { now: new Date(TEST_NOW), partSize: PART_SIZE, seeders: selected, storage })
  pool = openPool(database.url)
})
afterAll(async () => {
  await pool.end()
  await drop()
  await rm(folder, { recursive: true, force: true })
})

const one = async (sql: string) =>
  Number((await pool.query<{ count: string }>(`select count(*) as count ${sql}`)).rows[0]?.count)

describe('training of the sample company', () => {
  it('has 6 courses, 5 of them live, with every type of content', async () => {
    expect(await one('from training_courses')).toBe(6)
    expect(await one('from training_courses where is_active')).toBe(5)
    const { rows } = await pool.query<{ type: string }>(
      'select distinct content_type as type from training_lessons order by 1',
    )
    expect(rows.map(({ type }) => type)).toEqual(['audio', 'document', 'interactive', 'mixed', 'quiz', 'text', 'video'])
  })
  it('has a unique description for every course, module and lesson', async () => {
    const { rows } = await pool.query<{ description: string | null }>(
      'select description from training_courses union all select description from training_modules union all select description from training_lessons',
    )
    expect(rows.length).toBeGreaterThanOrEqual(50)
    expect(rows.filter(({ description }) => (description ?? '').length < 20)).toEqual([])
    expect(new Set(rows.map(({ description }) => description)).size).toBe(rows.length)
  })
  it('has prerequisites and references between lessons', async () => {
    expect(await one('from training_module_prerequisites')).toBeGreaterThan(0)
    expect(await one('from training_lesson_prerequisites')).toBeGreaterThan(0)
    expect(await one('from training_lesson_references')).toBeGreaterThan(0)
  })
  it('stores its files and uses each of them', async () => {
    const { rows } = await pool.query<{ name: string; final_size: number }>(
      'select name, final_size from training_assets',
    )
    expect(rows.length).toBeGreaterThanOrEqual(8)
    for (const { name, final_size } of rows) expect(await storage.size(`training/${name}`)).toBe(Number(final_size))
    expect(
      await one('from training_assets a where not exists (select from training_asset_uses u where u.asset_id = a.id)'),
    ).toBe(0)
  })
  it('has learners in every state, with consistent progress', async () => {
    expect(await one('from training_enrolments where completed_at is not null')).toBeGreaterThan(40)
    expect(await one('from training_enrolments where started_at is null')).toBeGreaterThan(0)
    expect(await one('from training_enrolments where started_at is not null and completed_at is null')).toBeGreaterThan(
      0,
    )
    expect(await one('from training_attempts where is_passed')).toBeGreaterThan(100)
    expect(await one('from training_attempts where not is_passed')).toBeGreaterThan(10)
    expect(
      await one(`from training_enrolments e join training_lessons l on l.course_id = e.course_id where e.completed_at is not null and not exists (
        select from training_progress p where p.lesson_id = l.id and p.customer_id = e.customer_id and p.completed_at is not null)`),
    ).toBe(0)
    expect(
      await one(`from training_enrolments e join training_courses c on c.id = e.course_id join stretchers s on s.customer_id = e.customer_id
        where s.status = 'active' and c.is_required and e.completed_at is null`),
    ).toBe(0)
  })
})
