import { describe, expect, it } from 'vitest'
import { composeBulk, textToHtml } from './email-html.rules.ts'

describe('the HTML part of an email', () => {
  it('has paragraphs and line breaks, and escapes what people write', () => {
    const html = textToHtml('Hi <b>Ana</b>,\nhow are you?\n\n"Fine" & well')
    expect(html).toContain('Hi &lt;b&gt;Ana&lt;/b&gt;,<br>how are you?</p>')
    expect(html).toContain('&quot;Fine&quot; &amp; well</p>')
  })

  it('links addresses in the text of staff only, without the punctuation around them', () => {
    const text = 'See https://example.com/a?b=1&c=2, or (http://example.com/x).\njavascript:alert(1)'
    expect(textToHtml(text)).not.toContain('<a ')
    const html = textToHtml(text, { hasLinks: true })
    expect(html).toContain('<a href="https://example.com/a?b=1&amp;c=2">https://example.com/a?b=1&amp;c=2</a>, or (')
    expect(html).toContain('<a href="http://example.com/x">http://example.com/x</a>).')
    expect(html.match(/<a /g)).toHaveLength(2)
  })

  it('cannot be left by an address with quotes', () => {
    const html = textToHtml(`https://example.com/"onmouseover="alert(1) https://example.com/'><script>`, {
      hasLinks: true,
    })
    expect(html).not.toContain('<script')
    expect(html).not.toMatch(/<a [^>]*onmouseover/)
  })
})

describe('a bulk email', () => {
  it('says in both parts why it was sent, how to unsubscribe, and who sent it', () => {
    const footer = { unsubscribeUrl: 'https://app.example/u/1', companyAddress: 'A & B, 1 Main St' }
    const { text, html } = composeBulk({ title: 'News', body: 'Hi', why: 'Because.' }, footer)
    expect(text).toBe('News\n\nHi\n\n-- \nBecause.\nUnsubscribe: https://app.example/u/1\nA & B, 1 Main St')
    expect(html).toMatch(/<h1[^>]*>News<\/h1>/)
    expect(html).toMatch(
      /Because\. <a href="https:\/\/app\.example\/u\/1"[^>]*>Unsubscribe<\/a><br>A &amp; B, 1 Main St/,
    )
  })

  it('leaves out a title and an address that are not there', () => {
    const { text, html } = composeBulk({ body: 'Hi', why: 'Because.' }, { unsubscribeUrl: 'u', companyAddress: '' })
    expect(text).toBe('Hi\n\n-- \nBecause.\nUnsubscribe: u')
    expect(html).not.toContain('<h1')
    expect(html).not.toContain('<br>')
  })
})
