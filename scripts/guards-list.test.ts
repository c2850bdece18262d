import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { guards } from './guards-list.ts'

const root = join(import.meta.dirname, '..')

// `npm run test:guards` removes them one by one, which takes an hour. This checks only that each one is there.
it('finds each guard exactly once in its file, and its test file', () => {
  const wrong = guards.flatMap(([file, text, , tests]) => {
    const times = readFileSync(join(root, file), 'utf8').split(text).length - 1
    const where = `${file}: ${text.trim()}`
    return [
      ...(times === 1 ? [] : [`${where} occurs ${times} times`]),
      ...(existsSync(join(root, tests)) ? [] : [`${where}: ${tests} does not exist`]),
    ]
  })
  expect(wrong).toEqual([])
})
