import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { recallPass } from './passed-before.ts'

const run = promisify(execFile)
const made: string[] = []
let tree: string

const write = (name: string, text: string) => writeFile(join(tree, name), text)
const recall = async (folder = 'server') => (await recallPass(tree, 'tests', [folder])).passed

beforeEach(async () => {
  tree = await mkdtemp(join(tmpdir(), 'limber-tree-'))
  made.push(tree)
  await run('git', ['init', '-q'], { cwd: tree })
  for (const folder of ['server', 'web']) await mkdir(join(tree, folder))
  await write('server/sum.ts', 'a + b')
  await write('web/page.ts', 'page')
  await write('package.json', '{}')
  await run('git', ['add', '.'], { cwd: tree })
  await (await recallPass(tree, 'tests', ['server'])).keep(7)
})
afterAll(() => Promise.all(made.map((each) => rm(each, { recursive: true }))))

describe('a suite that passed', () => {
  it('passed on the same files, whatever changed elsewhere', async () => {
    expect(await recall()).toBe(7)
    await write('web/page.ts', 'another page')
    expect(await recall()).toBe(7)
  })

  it.each([
    ['changed', () => write('server/sum.ts', 'a - b')],
    ['new', () => write('server/sum.test.ts', 'expects')],
    ['gone', () => rm(join(tree, 'server/sum.ts'))],
    ['renamed', () => run('git', ['mv', 'server/sum.ts', 'server/add.ts'], { cwd: tree })],
    ['of everybody', () => write('package.json', '{"type":"module"}')],
  ])('did not pass on a file that is %s', async (_what, change) => {
    await change()
    expect(await recall()).toBeUndefined()
  })

  it('is not remembered where the files cannot be listed', async () => {
    await rm(join(tree, '.git'), { recursive: true })
    expect(await recall()).toBeUndefined()
  })

  it('starts afresh as another suite', async () => {
    expect((await recallPass(tree, 'other tests', ['server'])).passed).toBeUndefined()
  })
})
