import { defaultHighlightStyle, HighlightStyle } from '@codemirror/language'

/** The default highlight colors assume a white page; these work in both themes. */
const colors: Record<string, string> = {
  '#404740': 'var(--text-2)',
  '#940': 'var(--text-2)',
  '#708': 'var(--accent-text)',
  '#085': 'var(--accent-text)',
  '#167': 'var(--accent-text)',
  '#256': 'var(--accent-text)',
  '#219': 'var(--blue-text)',
  '#00f': 'var(--blue-text)',
  '#30a': 'var(--blue-text)',
  '#00c': 'var(--blue-text)',
  '#164': 'var(--green-text)',
  '#e40': 'var(--amber-text)',
  '#a11': 'var(--red-text)',
  '#f00': 'var(--red-text)',
}

/** Syntax highlighting for markdown, CSS and JSON. */
export const highlights = HighlightStyle.define(
  defaultHighlightStyle.specs.map((spec) => ({
    ...spec,
    ...(spec.color === undefined ? {} : { color: colors[String(spec.color)] ?? 'var(--text)' }),
  })),
)
