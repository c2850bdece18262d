import { expect, it } from 'vitest'
import { finishAddPasskey, renamePasskey } from '#access/profile/profile.ts'
import { correctWorker, inviteWorker } from '#access/workers/worker.ts'
import { createBusiness, updateBusiness } from '#businesses/business/business.ts'
import { createZone, updateZone } from '#businesses/zones/zone.ts'
import { createCertification, updateCertification } from '#certifications/certification.ts'
import { createCertificationType, updateCertificationType } from '#certifications/type.ts'
import { sendOutreach } from '#growth/partners/partner.ts'
import { createLead, editLead } from '#marketing/leads/lead.ts'
import { onboardStretcher, updateStretcher } from '#stretchers/stretcher.ts'
import { correctContact } from '#support/customers/account.ts'
import { previewNotification, sendNotification } from '#support/notifications/notification.ts'
import { createTicket } from '#support/tickets/ticket.ts'

const lines = [
  [inviteWorker, 'name'],
  [correctWorker, 'name'],
  [finishAddPasskey, 'name'],
  [renamePasskey, 'name'],
  [createBusiness, 'name', 'rep_name', 'location'],
  [updateBusiness, 'name', 'rep_name', 'location'],
  [createZone, 'name'],
  [updateZone, 'name'],
  [onboardStretcher, 'firstName', 'lastName'],
  [updateStretcher, 'firstName', 'lastName'],
  [createCertification, 'name', 'instructor'],
  [updateCertification, 'name', 'instructor'],
  [createCertificationType, 'certificationName'],
  [updateCertificationType, 'certificationName'],
  [correctContact, 'first_name', 'last_name'],
  [createLead, 'first_name', 'last_name'],
  [editLead, 'first_name', 'last_name'],
  [createTicket, 'subject'],
  [previewNotification, 'title'],
  [sendNotification, 'title'],
  [sendOutreach, 'subject', 'header'],
] as const
const cases = lines.flatMap(([{ method, path, body }, ...fields]) =>
  fields.map((field) => ({ call: `${method} ${path}`, field, body })),
)

// These fields appear in email subjects and headers.
it.each(cases)('$call accepts a $field of one line only', ({ field, body }) => {
  for (const text of ['Ada\r\nBcc: all@example.com', 'Ada\nB', 'Ada\rB', 'Ada\n', 'A\0'])
    expect(body.safeParse({ [field]: text }).error?.issues).toContainEqual(
      expect.objectContaining({ path: [field], message: 'must be one line' }),
    )
})
