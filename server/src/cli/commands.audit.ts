import { verifyAgainstWitness } from '#platform/audit/audit-witness.ts'
import { openWitness } from '#platform/audit/witness-place.ts'
import { type Command, print, withInstallation } from './command.ts'

const verify: Command = {
  usage: '[--witness FILE]',
  about:
    'verify the audit log; with a witness (AUDIT_WITNESS, or a file), also that its end was not cut off since, and add the end to it',
  options: { witness: { type: 'string' } },
  run: ({ witness }) =>
    withInstallation(async (installation) => {
      const { config, clock } = installation
      const place = witness === undefined ? config.auditWitness : String(witness)
      const opened = place === undefined ? undefined : openWitness(place, config)
      print(await verifyAgainstWitness(installation, opened, clock.now()))
    }),
}

export const auditCommands = { 'audit verify': verify }
