import { changeSetup, readSetup } from '@limber/contract/company/setup.ts'
import { connectionOf } from '#platform/company/mail-connection.ts'
import { serve } from '#platform/http/routes.ts'
import { currentKeyId } from './backup-key.routes.ts'
import { hideGuide, lockCompany } from './company.queries.ts'
import { requireOwner } from './require-owner.ts'
import { findSetupFacts } from './setup.queries.ts'
import { mayDo, stepsOf } from './setup.rules.ts'

export const setupRoutes = [
  serve(readSetup, async ({ worker, db, services: { config, keyring, texts } }) => {
    const keyId = currentKeyId(config)
    const facts = await findSetupFacts(db, { workerId: worker.workerId, keyId })
    const connections = {
      mail: connectionOf(config, facts, keyring)?.label,
      hasBackupKey: keyId !== null,
      hasTexts: texts !== undefined,
      hasAds: config.meta?.ads !== undefined,
    }
    const steps = facts.is_hidden ? [] : stepsOf(facts, connections).filter(({ id }) => mayDo(worker, id))
    return { company: facts.name, isHidden: facts.is_hidden, steps }
  }),

  serve(changeSetup, async ({ worker, body: { isHidden }, db, now, audit, publish }) => {
    requireOwner(changeSetup, worker)
    const { guide_hidden_at } = await lockCompany(db)
    if ((guide_hidden_at !== null) !== isHidden) {
      await hideGuide(db, isHidden ? { by: worker.workerId, at: now } : null)
      audit({ action: isHidden ? 'setup_guide_hidden' : 'setup_guide_shown', subject: 'company' })
      publish('company')
    }
    return { isHidden }
  }),
]
