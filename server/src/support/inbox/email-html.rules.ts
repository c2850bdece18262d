const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (char) => escapes[char] ?? char)

// The address ends before the punctuation of its sentence.
const ADDRESS = /(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]])/

const linkify = (text: string) =>
  text
    .split(ADDRESS)
    .map((part, place) =>
      place % 2 === 1 ? `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>` : escapeHtml(part),
    )
    .join('')

const FONT = "font:15px/1.55 -apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const BODY = `margin:0;padding:24px 16px;max-width:600px;background:#fff;color:#1d2629;${FONT}`
const FOOT = 'margin:32px 0 0;padding:12px 0 0;border-top:1px solid #dfe5e6;color:#5b696d;font-size:12px'

interface Parts {
  /** A heading above the text. */
  title?: string
  /** HTML below the text. */
  footer?: string
  links?: readonly MailLink[]
  /** Staff wrote the text, so that its addresses may become links. */
  hasLinks?: boolean
}

/** A button in an email. */
export interface MailLink {
  label: string
  url: string
}

const BUTTON =
  'display:inline-block;margin:0 8px 8px 0;padding:10px 20px;border:1px solid #c3cfd1;border-radius:6px;color:#0f605e;font-weight:600;text-decoration:none'

const buttonsOf = (links: readonly MailLink[]) =>
  `<p style="margin:0 0 16px">${links
    .map(({ label, url }) => `<a href="${escapeHtml(url)}" style="${BUTTON}">${escapeHtml(label)}</a>`)
    .join('')}</p>`

/** Plain text as the HTML part of an email, in paragraphs. */
export function textToHtml(text: string, { title, footer, links, hasLinks = false }: Parts = {}): string {
  const toHtml = hasLinks ? linkify : escapeHtml
  const paragraphs = text
    .trim()
    .split(/\n{2,}/)
    .map((part) => `<p style="margin:0 0 16px">${toHtml(part).replaceAll('\n', '<br>')}</p>`)
  return [
    `<!doctype html><html><body style="${BODY}">`,
    title ? `<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${escapeHtml(title)}</h1>` : '',
    ...paragraphs,
    links ? buttonsOf(links) : '',
    footer ? `<p style="${FOOT}">${footer}</p>` : '',
    '</body></html>',
  ].join('')
}

/** The footer of every bulk email. */
export interface BulkFooter {
  unsubscribeUrl: string
  companyAddress: string
}

interface BulkText {
  title?: string
  body: string
  links?: readonly MailLink[]
  /** Why the person gets it. */
  why: string
}

/** Both parts of a bulk email. The footer says why it was sent, how to unsubscribe, and who sent it. */
export function composeBulk({ title, body, links, why }: BulkText, { unsubscribeUrl, companyAddress }: BulkFooter) {
  const link = `<a href="${escapeHtml(unsubscribeUrl)}" style="color:inherit">Unsubscribe</a>`
  const footer = `${escapeHtml(why)} ${link}${companyAddress ? `<br>${escapeHtml(companyAddress)}` : ''}`
  const listed = links ? `\n\n${links.map(({ label, url }) => `${label}: ${url}`).join('\n')}` : ''
  const address = companyAddress ? `\n${companyAddress}` : ''
  return {
    text: `${title ? `${title}\n\n` : ''}${body}${listed}\n\n-- \n${why}\nUnsubscribe: ${unsubscribeUrl}${address}`,
    html: textToHtml(body, { footer, hasLinks: true, ...(title && { title }), ...(links && { links }) }),
  }
}
