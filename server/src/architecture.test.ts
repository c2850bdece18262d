import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '#platform/paths.ts'

/** Which area uses the public file of which other, by their imports. */
async function findUses(side: string): Promise<string[]> {
  const cwd = join(root, side, 'src')
  const files = globSync('*/**/*.{ts,tsx}', { cwd, exclude: ['{app,cli,embedded}/**', '**/*.{test,factory}.{ts,tsx}'] })
  const uses = await Promise.all(
    files.map(async (file) => {
      const [area] = file.split('/')
      const text = await readFile(join(cwd, file), 'utf8')
      const used = [...text.matchAll(/(?:from|import\() ?'#([a-z-]+)\/public\.tsx?'/g)].map(([, other]) => other)
      return used.filter((other) => other !== area).map((other) => `${area} --> ${other}`)
    }),
  )
  return [...new Set(uses.flat())].toSorted()
}

/** What is left of the arrows when whoever uses nobody is taken away, again and again. */
function findCycle(arrows: readonly string[]): readonly string[] {
  const users = new Set(arrows.map((arrow) => arrow.split(' --> ')[0]))
  const left = arrows.filter((arrow) => users.has(arrow.split(' --> ')[1]))
  return left.length === arrows.length ? left : findCycle(left)
}

describe.each(['server', 'web'])('the areas of the %s', (side) => {
  it('use each other as the picture in docs/architecture.md shows', async () => {
    const text = await readFile(join(root, 'docs/architecture.md'), 'utf8')
    const picture = text.split('```mermaid').find((part) => part.includes(`%% ${side}\n`)) ?? ''
    const drawn = [...picture.matchAll(/^ {2}([a-z]+ --> [a-z]+)$/gm)].map(([, arrow]) => arrow)
    expect(drawn.toSorted()).toEqual(await findUses(side))
  })

  it('have no cycle', async () => {
    expect(findCycle(await findUses(side))).toEqual([])
  })
})
