const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text inside HTML: it shows what was typed and does nothing. */
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (char) => escapes[char] ?? char)

/** A plain text as the HTML part of a mail: paragraphs, nothing else. */
export const asHtml = (text: string) =>
  `<!doctype html><html><body style="font-family:sans-serif;line-height:1.5">${text
    .split(/\n{2,}/)
    .map((part) => `<p>${escapeHtml(part).replaceAll('\n', '<br>')}</p>`)
    .join('')}</body></html>`
