import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bannedInCode, bannedInText, findBanned, longSubjects } from './banned-words.ts'

describe('a banned name', () => {
  it.each(bannedInCode)('is found in code: $example', ({ example, instead }) => {
    const [first, ...rest] = findBanned('web/tests/x.spec.ts', `const before = 1\n${example}\n`)
    expect(first).toContain(`web/tests/x.spec.ts:2 retired, write ${instead}`)
    expect(rest).toEqual([])
  })
})

describe('a banned word', () => {
  it.each(bannedInText)('is found where people read it: $example', ({ example, instead }) => {
    const found = (path: string, source: string) => findBanned(path, source).join('\n')
    expect(found('web/src/x.tsx', `export const X = () => <p>{"A"} ${example}</p>\n`)).toContain(instead)
    expect(found('web/src/x.tsx', `export const X = () => <Field label="${example}" />\n`)).toContain(instead)
    expect(found('contract/src/x.ts', `export const text = '${example} twice'\n`)).toContain(instead)
    // Names of others, styles and tests may have it.
    expect(findBanned('web/src/x.css', `${example}`)).toEqual([])
    expect(findBanned('web/src/x.test.tsx', `const text = '${example} twice'\n`)).toEqual([])
    expect(findBanned('web/src/x.tsx', `// ${example}\nexport const x = 1\n`)).toEqual([])
  })
})

describe('a subject of a commit', () => {
  let folder: string
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@example.com', ...words])
  const commit = (subject: string) => git('commit', '--quiet', '--allow-empty', '-m', `${subject}\n\nWhy it is so.`)
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'limber-subjects-'))
    git('init', '--quiet', '--initial-branch=main')
    commit(`old: ${'x'.repeat(90)}`)
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('may have 72 characters, and those of the main branch any number', () => {
    git('switch', '--quiet', '-c', 'work')
    commit('y'.repeat(72))
    expect(longSubjects(folder)).toEqual([])
    commit('z'.repeat(73))
    expect(longSubjects(folder)).toEqual([expect.stringContaining('z'.repeat(73))])
  })

  it('is compared with what was pushed, where there is such a place', () => {
    git('update-ref', 'refs/remotes/origin/main', 'HEAD')
    commit('z'.repeat(73))
    expect(longSubjects(folder)).toHaveLength(1)
  })

  it('is not looked at where nothing is called main', () => {
    git('branch', '--quiet', '-m', 'elsewhere')
    commit('z'.repeat(73))
    expect(longSubjects(folder)).toEqual([])
  })
})
