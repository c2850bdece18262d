import { escapeHtml, textToHtml } from '#support/public.ts'

interface OutreachText {
  subject: string
  header: string
  body: string
}

interface Footer {
  unsubscribeUrl: string
  companyAddress: string
}

/** An outreach email as text and HTML. Text from workers is escaped. */
export function composeOutreach({ subject, header, body }: OutreachText, { unsubscribeUrl, companyAddress }: Footer) {
  const why = 'You are receiving this email because your organization is a partner of ours or may become one.'
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
