import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bannedInCode, bannedInText, findBanned, longSubjects } from './banned-words.ts'

describe('banned names', () => {
  it.each(bannedInCode)('are found in code: $example', ({ example, instead }) => {
    const [first, ...rest] = findBanned('web/tests/x.spec.ts', `const before = 1\n${example}\n`)
    expect(first).toContain(`web/tests/x.spec.ts:2 banned, use ${instead}`)
    expect(rest).toEqual([])
  })
})

describe('banned words', () => {
  it.each(bannedInText)('are found in user-facing text: $example', ({ example, instead }) => {
    const found = (path: string, source: string) => findBanned(path, source).join('\n')
    expect(found('web/src/x.tsx', `export const X = () => <p>{"A"} ${example}</p>\n`)).toContain(instead)
    expect(found('web/src/x.tsx', `export const X = () => <Field label="${example}" />\n`)).toContain(instead)
    expect(found('contract/src/x.ts', `export const text = '${example} twice'\n`)).toContain(instead)
    // Styles, tests and comments may use them.
    expect(findBanned('web/src/x.css', `${example}`)).toEqual([])
    expect(findBanned('web/src/x.test.tsx', `const text = '${example} twice'\n`)).toEqual([])
    expect(findBanned('web/src/x.tsx', `// ${example}\nexport const x = 1\n`)).toEqual([])
  })
})

describe('commit subjects', () => {
  let folder: string
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args])
  const commit = (subject: string) => git('commit', '--quiet', '--allow-empty', '-m', `${subject}\n\nDetails.`)
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'limber-subjects-'))
    git('init', '--quiet', '--initial-branch=main')
    commit(`old: ${'x'.repeat(90)}`)
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('have at most 72 characters, except on the main branch', () => {
    git('switch', '--quiet', '-c', 'work')
    commit('y'.repeat(72))
    expect(longSubjects(folder)).toEqual([])
    commit('z'.repeat(73))
    expect(longSubjects(folder)).toEqual([expect.stringContaining('z'.repeat(73))])
  })

  it('are compared with origin/main if it exists', () => {
    git('update-ref', 'refs/remotes/origin/main', 'HEAD')
    commit('z'.repeat(73))
    expect(longSubjects(folder)).toHaveLength(1)
  })

  it('are not checked without a main branch', () => {
    git('branch', '--quiet', '-m', 'elsewhere')
    commit('z'.repeat(73))
    expect(longSubjects(folder)).toEqual([])
  })
})
