import { describe, expect, it } from 'vitest'
import { parseRich, serializeRich } from './rich-markdown.ts'

const roundTrip = (text: string, hasHtml = false) => {
  const doc = parseRich(text, hasHtml)
  return doc && serializeRich(doc)
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
    expect(roundTrip(text)).toBe(text)
  })

  it('keeps allowed HTML tags and players', () => {
    const text =
      'H<sub>2</sub>O, <u>under</u>, <mark>bright</mark>, x<sup>2</sup>\n\n<video src="/api/training/files/00000000000000000000000000.mp4" controls></video>'
    expect(roundTrip(text, true)).toBe(text)
  })

  it('keeps plain text plain: nothing turns into a tag, an entity or a mark', () => {
    for (const text of ['a < b & c', '&lt;u&gt; is a tag', '2 \\* 3', '\\# no heading', 'a \\| b']) {
      expect(roundTrip(text, true), text).toBeDefined()
      expect(roundTrip(roundTrip(text, true) ?? '', true), text).toBe(roundTrip(text, true))
    }
    expect(roundTrip('&lt;script>alert(1)&lt;/script>', true)).not.toContain('<script')
  })

  it('falls back to the source editor for content it would lose', () => {
    for (const text of [
      '<div class="note">\n\nhello\n\n</div>',
      '<details><summary>a</summary>b</details>',
      '<span class="x">a</span>',
    ])
      expect(parseRich(text, true), text).toBeUndefined()
    // Without HTML, the same input is plain text.
    expect(roundTrip('<span>a</span>')).toBe('&lt;span>a&lt;/span>')
  })
})
