import { describe, expect, it } from 'vitest'
import { named, partsLetter } from '../files/ticket-file.testing.ts'
import { answerMails } from './answer-mails.testing.ts'
import { madeMails } from './made-mails.testing.ts'
import { programMails } from './program-mails.testing.ts'
import { READ_LIMITS, readMail } from './read-mail.ts'
import { shapedMails } from './shaped-mails.testing.ts'

const mails = [...madeMails, ...answerMails, ...programMails, ...shapedMails]

describe('an email', () => {
  it('is one of more than 300 kinds, each with its own name', () => {
    expect(mails.length).toBeGreaterThan(300)
    expect(new Set(mails.map(({ name }) => name)).size).toBe(mails.length)
  })

  it.each(mails)('is read: $name', async ({ raw, expected }) => {
    const read = await readMail(raw)
    expect(read).toMatchObject(expected)
    if ('messageId' in expected) expect(read.messageId).toBe(expected.messageId)
    // The database takes it.
    for (const text of [read.from, read.subject, read.content, read.quoted]) {
      expect(text).not.toContain('\0')
      expect(text.isWellFormed()).toBe(true)
    }
  })

  it('brings at most 100 of its files', async () => {
    const parts = Array.from({ length: 150 }, (_, n) => named('text/csv', `${n}.csv`, 'a,b'))
    expect((await readMail(Buffer.from(partsLetter(parts)))).files).toHaveLength(100)
  })

  it('that stops the thread does not stop the next one', async () => {
    const large = Buffer.concat([Buffer.from('Subject: Large\r\n\r\n'), Buffer.alloc(1_000_000, 'x')])
    const read = await readMail(large, { ...READ_LIMITS, timeout: 1 })
    expect(read).toMatchObject({ kind: 'unreadable', subject: 'Large' })
    expect(await readMail(Buffer.from('Subject: Hi\r\n\r\nHello'))).toMatchObject({ kind: 'message', content: 'Hello' })
  })

  it('is the same by its Message-ID, and without one by all of it', async () => {
    const [a, b] = [Buffer.from('Message-ID: <1@x>\r\n\r\nA'), Buffer.from('Message-ID: <1@x>\r\n\r\nB')]
    expect((await readMail(a)).digest).toEqual((await readMail(b)).digest)
    const [c, d] = [Buffer.from('Subject: Hi\r\n\r\nA'), Buffer.from('Subject: Hi\r\n\r\nB')]
    expect((await readMail(c)).digest).not.toEqual((await readMail(d)).digest)
    expect((await readMail(c)).digest).toEqual((await readMail(Buffer.from(c))).digest)
  })
})
