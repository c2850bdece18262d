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
      [...source.matchAll(/ExportButton\s+call=\{(\w+)\}/g)].map(([, name]) => name),
    ),
  )
  expect(names.filter((name) => !used.has(name))).toEqual([])
})
