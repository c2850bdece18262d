import { readFile } from 'node:fs/promises'
import { checkVectors } from '#payroll/tax/check.rules.ts'
import { type Command, print } from './command.ts'

const checkTaxes: Command = {
  usage: 'FILE',
  about: 'run a file of tax test vectors and print the differences',
  options: {},
  async run(_values, [path]) {
    if (!path) throw new Error('Enter the path of a file of test vectors.')
    const cases = checkVectors(JSON.parse(await readFile(path, 'utf8')))
    for (const { id, differences } of cases) for (const difference of differences) print(`${id}  ${difference}`)
    const failed = cases.filter(({ differences }) => differences.length > 0).length
    print(`${cases.length - failed} passed, ${failed} failed`)
    if (failed > 0) process.exitCode = 1
  },
}

/** Commands about payroll. */
export const payrollCommands: Record<string, Command> = { 'tax check': checkTaxes }
