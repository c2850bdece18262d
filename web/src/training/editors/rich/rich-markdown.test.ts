import { describe, expect, it } from 'vitest'
import { readRich, writeRich } from './rich-markdown.ts'

const again = (text: string, hasHtml = false) => {
  const doc = readRich(text, hasHtml)
  return doc && writeRich(doc)
}

describe('text in the visual editor', () => {
  it('round-trips to the same markdown', () => {
    const text = [
      '## Hold the heel',
      'With **both** hands, *gently*, ~~never fast~~, for `20 s`.',
      '- one\n- two\n  - three',
      '1. first\n2. second',
      '> Breathe out.',
      '![hip.png](/api/training/files/00000000000000000000000000.png)',
      '[more](https://example.com/a)',
      '| Muscle | Seconds |\n| --- | --- |\n| Psoas | 30 |\n| Soleus | 20 |',
      '---',
      '```\ncode\n```',
    ].join('\n\n')
    expect(again(text)).toBe(text)
  })

  it('keeps allowed HTML tags and players', () => {
    const text =
      'H<sub>2</sub>O, <u>under</u>, <mark>bright</mark>, x<sup>2</sup>\n\n<video src="/api/training/files/00000000000000000000000000.mp4" controls></video>'
    expect(again(text, true)).toBe(text)
  })

  it('keeps plain text plain: nothing turns into a tag, an entity or a mark', () => {
    for (const text of ['a < b & c', '&lt;u&gt; is a tag', '2 \\* 3', '\\# no heading', 'a \\| b']) {
      expect(again(text, true), text).toBeDefined()
      expect(again(again(text, true) ?? '', true), text).toBe(again(text, true))
    }
    expect(again('&lt;script>alert(1)&lt;/script>', true)).not.toContain('<script')
  })

  it('falls back to the source editor for content it would lose', () => {
    for (const text of [
      '<div class="note">\n\nhello\n\n</div>',
      '<details><summary>a</summary>b</details>',
      '<span class="x">a</span>',
    ])
      expect(readRich(text, true), text).toBeUndefined()
    // Without HTML, the same input is plain text.
    expect(again('<span>a</span>')).toBe('&lt;span>a&lt;/span>')
  })
})
