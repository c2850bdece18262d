import { defaultHighlightStyle, HighlightStyle } from '@codemirror/language'

/** Colours of the editor's own style, made for white paper, and those of ours that both themes can read. */
const colours: Record<string, string> = {
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

/** How marks of markdown, CSS and JSON are told apart. */
export const highlights = HighlightStyle.define(
  defaultHighlightStyle.specs.map((spec) => ({
    ...spec,
    ...(spec.color === undefined ? {} : { color: colours[String(spec.color)] ?? 'var(--text)' }),
  })),
)
