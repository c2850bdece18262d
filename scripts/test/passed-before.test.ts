import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { readLastPass } from './passed-before.ts'

const run = promisify(execFile)
const made: string[] = []
let tree: string

const write = (name: string, text: string) => writeFile(join(tree, name), text)
const lastPass = async (folder = 'server') => (await readLastPass(tree, 'tests', [folder])).passed

beforeEach(async () => {
  tree = await mkdtemp(join(tmpdir(), 'limber-tree-'))
  made.push(tree)
  await run('git', ['init', '-q'], { cwd: tree })
  for (const folder of ['server', 'web']) await mkdir(join(tree, folder))
  await write('server/sum.ts', 'a + b')
  await write('web/page.ts', 'page')
  await write('package.json', '{}')
  await run('git', ['add', '.'], { cwd: tree })
  await (await readLastPass(tree, 'tests', ['server'])).save(7)
})
afterAll(() => Promise.all(made.map((each) => rm(each, { recursive: true }))))

describe('the last pass of a suite', () => {
  it('is valid while its files are unchanged, whatever changes elsewhere', async () => {
    expect(await lastPass()).toBe(7)
    await write('web/page.ts', 'another page')
    expect(await lastPass()).toBe(7)
  })

  it.each([
    ['changed', () => write('server/sum.ts', 'a - b')],
    ['new', () => write('server/sum.test.ts', 'expects')],
    ['deleted', () => rm(join(tree, 'server/sum.ts'))],
    ['renamed', () => run('git', ['mv', 'server/sum.ts', 'server/add.ts'], { cwd: tree })],
    ['shared by all suites', () => write('package.json', '{"type":"module"}')],
  ])('is invalid when a file is %s', async (_what, change) => {
    await change()
    expect(await lastPass()).toBeUndefined()
  })

  it('is unknown when the files cannot be listed', async () => {
    await rm(join(tree, '.git'), { recursive: true })
    expect(await lastPass()).toBeUndefined()
  })

  it('does not count for another suite', async () => {
    expect((await readLastPass(tree, 'other tests', ['server'])).passed).toBeUndefined()
  })
})
