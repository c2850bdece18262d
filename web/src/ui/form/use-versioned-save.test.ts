import { describe, expect, it } from 'vitest'
import { mergeMine } from './use-versioned-save.ts'

interface Fields {
  name: string
  phone?: string
  tags?: string[]
}

describe('saving mine over theirs', () => {
  it.each<[string, Fields, Fields, Fields, Fields]>([
    ['keeps what I changed', { name: 'A' }, { name: 'B' }, { name: 'C' }, { name: 'C' }],
    ['takes their value where I changed nothing', { name: 'A' }, { name: 'B' }, { name: 'A' }, { name: 'B' }],
    [
      'takes their value for a field that was empty',
      { name: 'A' },
      { name: 'A', phone: '1' },
      { name: 'C' },
      { name: 'C', phone: '1' },
    ],
    [
      'keeps a field empty that I cleared',
      { name: 'A', phone: '1' },
      { name: 'A', phone: '2' },
      { name: 'A' },
      { name: 'A' },
    ],
    [
      'keeps a field empty that they cleared',
      { name: 'A', phone: '1' },
      { name: 'A' },
      { name: 'C', phone: '1' },
      { name: 'C' },
    ],
    [
      'takes their list if I did not change it',
      { name: 'A', tags: ['x'] },
      { name: 'A', tags: ['x', 'y'] },
      { name: 'C', tags: ['x'] },
      { name: 'C', tags: ['x', 'y'] },
    ],
    [
      'keeps my list if I changed it',
      { name: 'A', tags: ['x'] },
      { name: 'A', tags: ['x', 'y'] },
      { name: 'A', tags: ['z'] },
      { name: 'A', tags: ['z'] },
    ],
  ])('%s', (_, base, theirs, mine, merged) => {
    expect(mergeMine(base, theirs, mine)).toEqual(merged)
  })
})
