import { verifyAgainstWitness } from '#platform/audit/audit-witness.ts'
import { type Command, print, withInstallation } from './command.ts'

const verify: Command = {
  usage: '[--witness FILE]',
  about:
    'verify the audit log; with a witness file, also that its end was not cut off since, and add the end to the file',
  options: { witness: { type: 'string' } },
  run: ({ witness }) =>
    withInstallation(async ({ db, clock }) =>
      print(await verifyAgainstWitness(db, witness === undefined ? undefined : String(witness), clock.now())),
    ),
}

export const auditCommands = { 'audit verify': verify }
