/** The tags allowed in lesson text. The server strips all others on save, the browser strips them on display. */
export const markupTags: readonly string[] =
  'p br hr h1 h2 h3 h4 h5 h6 ul ol li strong b em i u s del ins sub sup small mark blockquote cite q code pre kbd samp var dl dt dd table thead tbody tfoot tr th td caption figure figcaption div span details summary abbr time a img video audio source'.split(
    ' ',
  )

/** Attributes allowed on every tag. */
export const markupGlobalAttributes: readonly string[] = ['class', 'title', 'lang', 'dir']

/** Additional attributes allowed on single tags. */
export const markupAttributes: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  img: ['src', 'alt', 'width', 'height'],
  video: ['src', 'poster', 'controls', 'loop', 'muted', 'width', 'height'],
  audio: ['src', 'controls', 'loop'],
  source: ['src', 'type'],
  ol: ['start'],
  th: ['colspan', 'rowspan', 'scope'],
  td: ['colspan', 'rowspan'],
  time: ['datetime'],
}

/** An image embedded in the text as a data URL. */
export const inlineImage = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/
