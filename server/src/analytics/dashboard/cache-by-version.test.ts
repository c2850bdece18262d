import { describe, expect, it } from 'vitest'
import { cacheByVersion } from './cache-by-version.ts'

const counted = () => {
  let times = 0
  return { compute: async () => ++times, times: () => times }
}

describe('what is kept while its version holds', () => {
  it('is computed once, also for those who ask at the same moment', async () => {
    const { compute, times } = counted()
    const keep = cacheByVersion<number>(10)
    const answers = await Promise.all([keep('a', '1', compute), keep('a', '1', compute), keep('a', '1', compute)])
    expect([...answers, await keep('a', '1', compute), times()]).toEqual([1, 1, 1, 1, 1])
  })
  it('is computed anew for another version and for another key', async () => {
    const { compute } = counted()
    const keep = cacheByVersion<number>(10)
    expect(await keep('a', '1', compute)).toBe(1)
    expect(await keep('a', '2', compute)).toBe(2)
    expect(await keep('b', '2', compute)).toBe(3)
    expect(await keep('a', '2', compute)).toBe(2)
  })
  it('is not a failure', async () => {
    const keep = cacheByVersion<number>(10)
    await expect(keep('a', '1', () => Promise.reject(new Error('down')))).rejects.toThrow('down')
    expect(await keep('a', '1', async () => 7)).toBe(7)
  })
  it('is no more than was allowed: the oldest goes', async () => {
    const { compute } = counted()
    const keep = cacheByVersion<number>(2)
    for (const key of ['a', 'b', 'c']) await keep(key, '1', compute)
    expect(await keep('c', '1', compute)).toBe(3)
    expect(await keep('a', '1', compute)).toBe(4)
  })
})
