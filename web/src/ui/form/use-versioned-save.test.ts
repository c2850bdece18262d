import { describe, expect, it } from 'vitest'
import { mergeMine } from './use-versioned-save.ts'

interface Fields {
  name: string
  phone?: string
  tags?: string[]
}

describe('what saving mine over theirs comes to', () => {
  it.each<[string, Fields, Fields, Fields, Fields]>([
    ['what I changed is mine', { name: 'A' }, { name: 'B' }, { name: 'C' }, { name: 'C' }],
    ['what I left alone is theirs', { name: 'A' }, { name: 'B' }, { name: 'A' }, { name: 'B' }],
    [
      'what both left empty until they filled it in is theirs',
      { name: 'A' },
      { name: 'A', phone: '1' },
      { name: 'C' },
      { name: 'C', phone: '1' },
    ],
    ['what I emptied stays empty', { name: 'A', phone: '1' }, { name: 'A', phone: '2' }, { name: 'A' }, { name: 'A' }],
    [
      'what they emptied stays empty',
      { name: 'A', phone: '1' },
      { name: 'A' },
      { name: 'C', phone: '1' },
      { name: 'C' },
    ],
    [
      'a list that I left alone is theirs',
      { name: 'A', tags: ['x'] },
      { name: 'A', tags: ['x', 'y'] },
      { name: 'C', tags: ['x'] },
      { name: 'C', tags: ['x', 'y'] },
    ],
    [
      'a list that I changed is mine',
      { name: 'A', tags: ['x'] },
      { name: 'A', tags: ['x', 'y'] },
      { name: 'A', tags: ['z'] },
      { name: 'A', tags: ['z'] },
    ],
  ])('%s', (_, base, theirs, mine, merged) => {
    expect(mergeMine(base, theirs, mine)).toEqual(merged)
  })
})
