import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { guards } from './guards-list.ts'

const root = join(import.meta.dirname, '..')

// Taking them away one by one takes an hour; that each can be found takes no time.
it('each guard of the list stands exactly once where it is said to, and its tests are there', () => {
  const wrong = guards.flatMap(([file, text, , tests]) => {
    const times = readFileSync(join(root, file), 'utf8').split(text).length - 1
    const where = `${file}: ${text.trim()}`
    return [
      ...(times === 1 ? [] : [`${where} stands there ${times} times`]),
      ...(existsSync(join(root, tests)) ? [] : [`${where}: there is no ${tests}`]),
    ]
  })
  expect(wrong).toEqual([])
})
