import { escapeHtml, textToHtml } from '#support/public.ts'

interface Words {
  subject: string
  header: string
  body: string
}

interface Foot {
  unsubscribeUrl: string
  companyAddress: string
}

/** An outreach mail as text and as HTML. What staff typed is text: it shows as typed and does nothing. */
export function composeOutreach({ subject, header, body }: Words, { unsubscribeUrl, companyAddress }: Foot) {
  const why = 'You get this because your organisation is, or may become, a partner of ours.'
  const foot = `<p style="color:#5b696d;font-size:12px">${why} <a href="${escapeHtml(unsubscribeUrl)}">Unsubscribe</a>${
    companyAddress ? `<br>${escapeHtml(companyAddress)}` : ''
  }</p>`
  const title = header ? `<h1 style="font-size:20px">${escapeHtml(header)}</h1>` : ''
  const address = companyAddress ? `\n${companyAddress}` : ''
  return {
    subject,
    text: `${header ? `${header}\n\n` : ''}${body}\n\n-- \n${why}\nUnsubscribe: ${unsubscribeUrl}${address}`,
    html: textToHtml(body)
      .replace(/<body[^>]*>/, (tag) => `${tag}${title}`)
      .replace('</body>', () => `${foot}</body>`),
  }
}
