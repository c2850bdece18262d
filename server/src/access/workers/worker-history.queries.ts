import { permissionLabel } from '@limber/contract/access/permission-labels.ts'
import { codeOf, permissionNames } from '@limber/contract/access/permissions.ts'
import { CHANGED, numericId, type RecordHistory } from '#platform/audit/history.ts'

export const workerHistory: RecordHistory = {
  subject: 'worker',
  async read(db, id) {
    const worker = await db.selectFrom('workers').select('name').where('id', '=', numericId(id)).executeTakeFirst()
    return worker && { name: worker.name, values: {} }
  },
  fields: [
    { name: 'name', label: 'Name' },
    { name: 'email', label: 'Email' },
    { name: 'role', label: 'Role' },
    {
      ...{ name: 'permissions', label: 'Permissions' },
      choiceLabels: Object.fromEntries(permissionNames.map((name) => [codeOf(name), permissionLabel(name)])),
    },
  ],
  actions: {
    worker_invited: 'invited this worker',
    worker_corrected: CHANGED,
    permissions_changed: CHANGED,
    worker_disabled: 'disabled the account',
    worker_enabled: 'enabled the account',
    worker_reset: 'reset the sign-in methods',
    sessions_ended: 'ended all sessions',
    first_link_made: 'made the first link',
    invitation_renewed: 'renewed the invitation',
    link_sent_again: 'sent the link again',
    link_shown: 'showed the link',
    link_revoked: 'revoked the link',
    onboarded: 'finished the onboarding',
    recovery_codes_renewed: 'renewed the recovery codes',
    recovery_approved: 'approved a recovery',
    recovery_denied: 'denied a recovery',
    access_recovered: 'recovered the access',
    authenticator_begun: 'began to replace the authenticator',
    authenticator_replaced: 'replaced the authenticator',
    two_factor_switched_off: 'switched off two-factor codes',
    signed_out_everywhere: 'signed out everywhere',
  },
  // Rights are granted in their own form, with a passkey.
  restores: [],
}
