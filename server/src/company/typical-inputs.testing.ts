import { sql } from 'kysely'
import type { Inputs, InputTools } from '#platform/testing/testing.inputs.ts'

export const companyInputs = ({ first, sending }: InputTools): Inputs => ({
  'PATCH /api/company': async () => ({
    body: {
      ...(await first(
        sql`select name, legal_name, address_line, city, state, phone, reply_to, time_zone, week_starts_on, version from company`,
      )),
      postal_code: '92501',
    },
  }),
  'PUT /api/company/mail-server': async () => ({
    body: {
      ...(await first(sql`select version from mail_server`)),
      ...{
        host: 'mail.example.com',
        port: 587,
        security: 'starttls',
        username: '',
        from_address: 'hello@example.com',
      },
    },
  }),
  'POST /api/company/setup': sending({ isHidden: false }),
})
