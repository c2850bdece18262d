import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeHtml } from '../inbox/email-html.rules.ts'
import { composeEmail, composeText } from './notification.rules.ts'

const foot = { unsubscribeUrl: 'https://app.example/u/$&', companyAddress: "1 Main St $' $` $&" }
const name = fc.string({ unit: fc.constantFrom(..."$&`'1<>{}ab "), minLength: 1, maxLength: 20 })

describe('a first name in a notification', () => {
  it('is inserted literally, also when it looks like a pattern', () => {
    fc.assert(
      fc.property(name, (firstName) => {
        const draft = { title: 'For {first_name}', body: 'Hello {first_name}, and {first_name} again' }
        const said = `Hello ${firstName}, and ${firstName} again`
        const mail = composeEmail(draft, firstName, foot)
        expect(mail.subject).toBe(`For ${firstName}`)
        expect(mail.text.startsWith(`${said}\n\n-- \n`)).toBe(true)
        expect(mail.html.split(escapeHtml(foot.companyAddress))).toHaveLength(2)
        expect(composeText(draft, firstName)).toContain(`For ${firstName}\n${said}\n`)
      }),
    )
  })

  it('cannot make an email grow without limit', () => {
    const draft = { title: 'Hi', body: '{first_name}'.repeat(400) }
    expect(composeEmail(draft, "$'$`", foot).text.length).toBeLessThan(3_000)
  })
})
