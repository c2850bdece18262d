// npm run fuzz [-- --cases 300] [--seed N] [--only /path]: sends generated requests to every call of the contract, and
// batches of well-formed items to the data API.
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { join } from 'node:path'

const optionOf = (flag: string) => {
  const index = process.argv.indexOf(flag)
  return index < 0 ? undefined : process.argv[index + 1]
}

const root = join(import.meta.dirname, '..')
const only = optionOf('--only')
const { status } = spawnSync(
  'vitest',
  ['run', '--config', 'server/vitest.config.ts', 'fuzz/', ...(only ? ['-t', only] : [])],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      LIMBER_FUZZ_CASES: optionOf('--cases') ?? '300',
      LIMBER_FUZZ_SEED: optionOf('--seed') ?? String(randomInt(2 ** 31)),
    },
  },
)
process.exitCode = status ?? 1
