const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

/** The language code in a file name such as `hips.es.vtt` or `hips_pt-BR.vtt`; undefined if there is none. */
export function languageIn(filename: string): { label: string; language: string } | undefined {
  const language = /[._-]([a-z]{2,3}(?:-[a-z]{2})?)\.vtt$/i.exec(filename)?.[1]
  const label = language && names.of(language)
  return label ? { label, language } : undefined
}
