const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (char) => escapes[char] ?? char)

/** Plain text as the HTML part of an email, in paragraphs. */
export const textToHtml = (text: string) =>
  `<!doctype html><html><body style="font-family:sans-serif;line-height:1.5">${text
    .split(/\n{2,}/)
    .map((part) => `<p>${escapeHtml(part).replaceAll('\n', '<br>')}</p>`)
    .join('')}</body></html>`
