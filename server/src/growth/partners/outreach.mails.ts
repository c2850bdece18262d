import { type BulkFooter, composeBulk } from '#support/public.ts'

interface OutreachText {
  subject: string
  header: string
  body: string
}

/** An outreach email as text and HTML. Text from workers is escaped. */
export const composeOutreach = ({ subject, header, body }: OutreachText, footer: BulkFooter) => ({
  subject,
  ...composeBulk(
    {
      title: header,
      body,
      why: "You're receiving this email because we work with your organization or would like to.",
    },
    footer,
  ),
})
