import { calls } from '@limber/contract/calls.ts'
import { expect, it } from 'vitest'

const contract = import.meta.glob<string>('/../contract/src/**/*.ts', { query: '?raw', import: 'default', eager: true })
const screens = import.meta.glob<string>(['../../**/*.tsx', '!../../**/*.test.tsx'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

it('every export call has a button on a screen', () => {
  const names = Object.values(contract).flatMap((source) =>
    [...source.matchAll(/export const (\w+) = exportCall\(/g)].map(([, name = '']) => name),
  )
  expect(names.length).toBe(calls.filter((call) => call.exports).length)
  const used = new Set(
    Object.values(screens).flatMap((source) =>
      // The dialog of a figure has the button for the file of its rows.
      [...source.matchAll(/ExportButton\s+call=\{(\w+)\}|\bfile: (\w+),/g)].map(([, name, file]) => name ?? file),
    ),
  )
  expect(names.filter((name) => !used.has(name))).toEqual([])
})
