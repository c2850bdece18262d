import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openHome, secretKey, takeHome } from './home.ts'

let home: string

beforeEach(async () => {
  home = await openHome(await mkdtemp(join(tmpdir(), 'limber-home-')))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const lockElsewhere = async () => {
  const script = `import { takeHome } from ${JSON.stringify(new URL('./home.ts', import.meta.url).href)}
    const lock = await takeHome(${JSON.stringify(home)})
    await lock.tell({ pid: process.pid, url: 'http://localhost:1' })
    console.log('held')
    setInterval(() => {}, 1000)`
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script]
  const holder = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(holder.stdout, 'data')
  return holder
}

describe('the lock of a home', () => {
  it('reports its holder to a second start, and is free after that process was killed', async () => {
    const holder = await lockElsewhere()
    expect(await takeHome(home)).toEqual({ holder: { pid: holder.pid, url: 'http://localhost:1' } })
    holder.kill('SIGKILL')
    await once(holder, 'exit')

    const lock = await takeHome(home)
    expect(lock).toHaveProperty('release')
    if ('release' in lock) lock.release()
  })

  it('goes to one of many concurrent processes, also after its holder was killed', async () => {
    const holder = await lockElsewhere()
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    const takers = await Promise.all(Array.from({ length: 8 }, () => takeHome(home)))
    const winners = takers.filter((taker) => 'release' in taker)
    expect(winners).toHaveLength(1)
    for (const winner of winners) winner.release()
  })
})

describe('the secret key of a home', () => {
  it('is created once and readable by its owner only', async () => {
    const key = await secretKey(home)
    expect(key.length).toBeGreaterThanOrEqual(32)
    expect(await secretKey(home)).toBe(key)
    expect((await stat(join(home, 'secret-key'))).mode & 0o777).toBe(0o600)
  })
})
