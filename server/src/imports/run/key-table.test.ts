import { expect, it } from 'vitest'
import { KeyTable } from './key-table.ts'

it('finds every text again, also after it grew, and no other', () => {
  const table = new KeyTable()
  for (let n = 1; n <= 20_000; n++) table.set(`email client${n}@example.com`, n)
  table.set('email client7@example.com', 70_000)
  expect(table.get('email client7@example.com')).toBe(70_000)
  for (let n = 8; n <= 20_000; n++) if (table.get(`email client${n}@example.com`) !== n) expect.fail(`${n} is lost`)
  for (let n = 0; n < 20_000; n++) if (table.get(`ID ${n}`) !== undefined) expect.fail(`${n} is found`)
})
