import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '#platform/paths.ts'

/** The other areas whose `public.ts` a file imports. */
const usesIn = (area: string, text: string) =>
  [...text.matchAll(/(?:from|import\() ?'#([a-z-]+)\/public\.tsx?'/g)]
    .filter(([, other]) => other !== area)
    .map(([, other]) => `${area} --> ${other}`)

/** Which areas import the `public.ts` of which others. */
async function findUses(side: string): Promise<string[]> {
  const cwd = join(root, side, 'src')
  const files = globSync('*/**/*.{ts,tsx}', { cwd, exclude: ['{app,cli,embedded}/**', '**/*.{test,factory}.{ts,tsx}'] })
  const uses = await Promise.all(
    files.map(async (file) => {
      const [area = ''] = file.split('/')
      return usesIn(area, await readFile(join(cwd, file), 'utf8'))
    }),
  )
  return [...new Set(uses.flat())].toSorted()
}

/** Repeatedly removes areas without dependencies. Remaining arrows form a cycle. */
function findCycle(arrows: readonly string[]): readonly string[] {
  const users = new Set(arrows.map((arrow) => arrow.split(' --> ')[0]))
  const left = arrows.filter((arrow) => users.has(arrow.split(' --> ')[1]))
  return left.length === arrows.length ? left : findCycle(left)
}

describe.each(['server', 'web'])('the areas of the %s', (side) => {
  it('depend on each other as the diagram in docs/architecture.md shows', async () => {
    const text = await readFile(join(root, 'docs/architecture.md'), 'utf8')
    const picture = text.split('```mermaid').find((part) => part.includes(`%% ${side}\n`)) ?? ''
    const drawn = [...picture.matchAll(/^ {2}([a-z]+ --> [a-z]+)$/gm)].map(([, arrow]) => arrow)
    expect(drawn.toSorted()).toEqual(await findUses(side))
  })

  it('have no cycle', async () => {
    expect(findCycle(await findUses(side))).toEqual([])
  })
})

describe('the check itself', () => {
  it('finds uses of another area, of both kinds', () => {
    const text =
      "import { a } from '#support/public.ts'\nconst b = await import('#access/public.tsx')\nimport '#growth/public.ts'"
    expect(usesIn('growth', text)).toEqual(['growth --> support', 'growth --> access'])
  })
  it('finds a cycle, with whatever leads into it', () => {
    expect(findCycle(['a --> b', 'b --> c', 'c --> d'])).toEqual([])
    expect(findCycle(['a --> b', 'b --> a'])).toEqual(['a --> b', 'b --> a'])
    expect(findCycle(['x --> a', 'a --> b', 'b --> c', 'c --> a', 'c --> d'])).toEqual(
      expect.arrayContaining(['a --> b', 'b --> c', 'c --> a']),
    )
  })
})
