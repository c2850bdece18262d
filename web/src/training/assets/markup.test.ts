import { describe, expect, it } from 'vitest'
import { renderMarkup } from '../preview/render-markup.ts'
import { markupOf } from './markup.ts'

const url = `/api/training/files/${'a'.repeat(26)}.mp4`
const shown = (text: string, hasHtml: boolean) =>
  renderMarkup({ text, formatting: hasHtml ? 'rich_text' : 'markdown', allowHtml: hasHtml })

describe('an inserted file', () => {
  it('is an image in every format', () => {
    const text = markupOf({ type: 'image', filename: 'hip [1].png', url }, false)
    expect(shown(text, false)).toContain(`<img src="${url}" alt="hip  1 .png">`)
  })

  it.each(['video', 'audio'] as const)('is a player for %s where HTML is allowed', (type) => {
    expect(shown(markupOf({ type, filename: 'hip.mp4', url }, true), true)).toContain(`<${type} src="${url}" controls`)
  })

  it.each(['video', 'audio'] as const)('is a link for %s where a tag would show as text', (type) => {
    const file = { type, filename: 'hip.mp4', url }
    expect(shown(markupOf(file, true), false)).not.toContain(`<${type}`)
    expect(shown(markupOf(file, false), false)).toContain(`<a href="${url}">hip.mp4</a>`)
  })

  it('is a link for a document', () => {
    expect(markupOf({ type: 'document', filename: 'plan.pdf', url }, true)).toBe(`[plan.pdf](${url})`)
  })
})
