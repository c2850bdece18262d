import { describe, expect, it } from 'vitest'
import { cacheByVersion } from './cache-by-version.ts'

const counted = () => {
  let times = 0
  return { compute: async () => ++times, times: () => times }
}

describe('cacheByVersion', () => {
  it('computes once for simultaneous callers', async () => {
    const { compute, times } = counted()
    const keep = cacheByVersion<number>(10)
    const answers = await Promise.all([keep('a', '1', compute), keep('a', '1', compute), keep('a', '1', compute)])
    expect([...answers, await keep('a', '1', compute), times()]).toEqual([1, 1, 1, 1, 1])
  })
  it('computes again for another version or key', async () => {
    const { compute } = counted()
    const keep = cacheByVersion<number>(10)
    expect(await keep('a', '1', compute)).toBe(1)
    expect(await keep('a', '2', compute)).toBe(2)
    expect(await keep('b', '2', compute)).toBe(3)
    expect(await keep('a', '2', compute)).toBe(2)
  })
  it('does not cache a failure', async () => {
    const keep = cacheByVersion<number>(10)
    await expect(keep('a', '1', () => Promise.reject(new Error('down')))).rejects.toThrow('down')
    expect(await keep('a', '1', async () => 7)).toBe(7)
  })
  it('evicts the oldest entry at the limit', async () => {
    const { compute } = counted()
    const keep = cacheByVersion<number>(2)
    for (const key of ['a', 'b', 'c']) await keep(key, '1', compute)
    expect(await keep('c', '1', compute)).toBe(3)
    expect(await keep('a', '1', compute)).toBe(4)
  })
})
