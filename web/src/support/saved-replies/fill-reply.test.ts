import type { SavedReply } from '@limber/contract/support/saved-replies/saved-reply.ts'
import { describe, expect, it } from 'vitest'
import { fillReply, findReplies, insertText, type ReplyFacts } from './fill-reply.ts'

const facts: ReplyFacts = { customer: 'Camille Okafor', ticket: 4127, agent: 'Priya Raman' }

describe('a saved reply for a ticket', () => {
  it.each<[string, string, Partial<ReplyFacts>, string]>([
    ['the first name', 'Hi {first name},', {}, 'Hi Camille,'],
    ['the full name', 'For {name}.', {}, 'For Camille Okafor.'],
    ['the number and the agent', '#{ticket}, {agent}', {}, '#4127, Priya Raman'],
    ['every occurrence', '{ticket} {ticket}', {}, '4127 4127'],
    ['any case', '{First Name} {AGENT}', {}, 'Camille Priya Raman'],
    ['a neutral word for an unknown name', 'Hi {first name}, dear {name}', { customer: null }, 'Hi there, dear there'],
    ['a neutral word for a blank name', 'Hi {first name}', { customer: '  ' }, 'Hi there'],
    ['no unknown braces', '{order} {} {{ x }} {first  name}', {}, '{order} {} {{ x }} {first  name}'],
    ['no unclosed brace', '{first name', {}, '{first name'],
    ['a placeholder inside other braces', '{{ticket}}', {}, '{4127}'],
    [
      'a name that looks like a placeholder, once',
      'Hi {name}',
      { customer: '{agent} {ticket}' },
      'Hi {agent} {ticket}',
    ],
    ['a name with pattern characters', 'Hi {name}', { customer: '$& $1' }, 'Hi $& $1'],
    ['no built-in property names', '{constructor} {toString}', {}, '{constructor} {toString}'],
    ['nothing', 'Thank you.', {}, 'Thank you.'],
  ])('fills in %s', (_, content, more, expected) => {
    expect(fillReply(content, { ...facts, ...more })).toBe(expected)
  })
})

describe('inserting a text', () => {
  it.each([
    ['an empty box', '', 0, 'Hello.', 'Hello.', 6],
    ['the end of a word', 'Hi', 2, 'Hello.', 'Hi Hello.', 9],
    ['a new line', 'Hi\n\n', 4, 'Hello.', 'Hi\n\nHello.', 10],
    ['the start', 'Bye', 0, 'Hello.', 'Hello. Bye', 6],
    ['the middle of a word', 'HiBye', 2, 'Hello.', 'Hi Hello. Bye', 9],
    ['a gap of two spaces', 'Hi  Bye', 3, 'Hello.', 'Hi Hello. Bye', 9],
  ])('works at %s', (_, text, at, words, expected, caret) => {
    expect(insertText(text, at, words)).toEqual({ text: expected, caret })
  })
})

describe('a search in saved replies', () => {
  const reply = (name: string, content: string, id = 1): SavedReply => ({
    ...{ id, name, content, version: 1, actions: [], uses: 0 },
    changedAt: '2026-11-01T00:00:00.000Z',
    changedBy: 'Dana Whitfield',
  })
  const replies = [reply('Apology', 'A refund follows.'), reply('Late', 'Sorry.'), reply('Refund sent', 'It is sent.')]
  it.each([
    ['', ['Apology', 'Late', 'Refund sent']],
    ['refund', ['Refund sent', 'Apology']],
    ['SENT  ref', ['Refund sent']],
    ['refund apology', ['Apology']],
    ['no match', []],
  ])('finds replies that contain %j, names first', (sought, names) => {
    expect(findReplies(replies, sought).map(({ name }) => name)).toEqual(names)
  })
})
