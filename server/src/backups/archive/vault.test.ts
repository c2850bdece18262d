import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sweepVault, vaultOfFile } from './vault.ts'

it('sweepVault deletes partial files of killed runs and keeps those of others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'limber-vault-'))
  await mkdir(join(folder, 'files/ab'), { recursive: true })
  const written = [
    'limber-1.backup',
    'limber-2.backup.x1y2z3.part',
    'files/ab/abc.x1y2z3.part',
    'probe.txt.x1y2z3.part',
  ]
  for (const name of written) await writeFile(join(folder, name), 'half')
  await sweepVault(vaultOfFile(join(folder, 'limber-1.backup')).vault)
  const left = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile())
  expect(left.map(({ name }) => name).sort()).toEqual(['limber-1.backup', 'probe.txt.x1y2z3.part'])
  await rm(folder, { recursive: true })
})
