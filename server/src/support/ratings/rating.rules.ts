import { RATING_LINK_DAYS, type Rating } from '@limber/contract/support/ratings/rating.ts'

const DAY = 86_400_000

/** What a rating link says; it is sealed, so it cannot be forged. */
export interface Link {
  ticketId: number
  askedAt: Date
}

export const linkText = ({ ticketId, askedAt }: Link) => `${ticketId}:${askedAt.getTime()}`

export function readLinkText(text: string): Link | undefined {
  const [, id, time] = /^([1-9]\d{0,15}):(\d{1,15})$/.exec(text) ?? []
  return id && time ? { ticketId: Number(id), askedAt: new Date(Number(time)) } : undefined
}

export const isExpired = ({ askedAt }: Pick<Link, 'askedAt'>, now: Date) =>
  now.getTime() - askedAt.getTime() > RATING_LINK_DAYS * DAY

export const expiryOf = ({ askedAt }: Pick<Link, 'askedAt'>) => new Date(askedAt.getTime() + RATING_LINK_DAYS * DAY)

/** The email's words. */
export const ratingMail = (
  ticket: { id: number; subject: string; firstName: string | null },
  links: Record<Rating, string>,
) => ({
  subject: `How did we do? [#${ticket.id}] ${ticket.subject}`,
  title: 'How did we do?',
  body: `Hi${ticket.firstName ? ` ${ticket.firstName}` : ''},\n\nwe closed your request “${ticket.subject}”. Were you happy with our help?`,
  links: [
    { label: 'Good', url: links.good },
    { label: 'Bad', url: links.bad },
  ],
  why: 'You get this email because you asked us for help.',
})
