import { openPool } from '@limber/server/platform/db/pool.ts'
import { TEST_NOW } from '@limber/server/platform/testing/testing.ts'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { copyWholeCompany, SEED_TIMEOUT } from './seed-company.testing.ts'

let pool: pg.Pool
let drop: () => Promise<void>

beforeAll(async () => {
  const database = await copyWholeCompany()
  drop = database.drop
  pool = openPool(database.url)
}, SEED_TIMEOUT)
afterAll(async () => {
  await pool.end()
  await drop()
})

const rows = async (sql: string) => (await pool.query(sql)).rows

it('has open and done city tasks, measured on creation and after 30, 60 and 90 days', async () => {
  const tasks = await rows(`select t.id, t.city_name, (t.figures ->> 'users')::int as users, t.done_at,
    (select count(*)::int from city_task_marks m where m.task_id = t.id) as marks from city_tasks t order by t.id`)
  expect(tasks.filter(({ done_at }) => done_at === null).length).toBeGreaterThan(3)
  expect(tasks.filter(({ done_at }) => done_at !== null).length).toBeGreaterThan(1)
  expect(tasks.find(({ id }) => id === 1)).toMatchObject({ marks: 3, users: expect.any(Number) })
  for (const { users, city_name } of tasks) expect([city_name, users > 0]).toEqual([city_name, true])
  expect(await rows(`select id from city_tasks where created_at > '${TEST_NOW}' or done_at < created_at`)).toEqual([])
})

it('has customers outside of all zones in several cities', async () => {
  const cities = await rows(
    'select city, count(*)::int as users from customers where zone_id is null and latitude is not null group by 1',
  )
  expect(cities.filter(({ users }) => users > 3).length).toBeGreaterThan(5)
})
