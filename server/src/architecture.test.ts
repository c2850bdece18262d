import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '#platform/places.ts'

const sources = join(root, 'server/src')

/** Which area uses the public file of which other, by their imports. */
async function findUses(): Promise<string[]> {
  const files = await readdir(sources, { recursive: true })
  const uses = await Promise.all(
    files
      .filter(
        (file) =>
          file.endsWith('.ts') && file.includes('/') && !file.startsWith('cli/') && !/\.(test|factory)\.ts$/.test(file),
      )
      .map(async (file) => {
        const [area] = file.split('/')
        const text = await readFile(join(sources, file), 'utf8')
        return [...text.matchAll(/from '#([a-z-]+)\/public\.ts'/g)].map(([, used]) => `${area} --> ${used}`)
      }),
  )
  return [...new Set(uses.flat())].toSorted()
}

describe('the picture of the areas in docs/architecture.md', () => {
  it('shows who uses whom as the imports do', async () => {
    const text = await readFile(join(root, 'docs/architecture.md'), 'utf8')
    const drawn = [...text.matchAll(/^ {2}([a-z]+ --> [a-z]+)$/gm)].map(([, arrow]) => arrow)
    expect(drawn.toSorted()).toEqual(await findUses())
  })
})
