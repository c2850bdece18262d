import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { askOwner } from './ask-owner.ts'

/** Answers each prompt in turn, then ends the input. */
async function answer(known: Parameters<typeof askOwner>[0], answers: string[]) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  let shown = ''
  output.on('data', (chunk: Buffer) => {
    shown += chunk
    if (!/(Name|Email): $/.test(shown)) return
    const next = answers.shift()
    if (next === undefined) input.end()
    else input.write(`${next}\n`)
  })
  return { owner: await askOwner(known, { input, output }), shown }
}

it('asks for name and email, and repeats the question after an invalid answer', async () => {
  const { owner, shown } = await answer({}, ['', ' Olga Reyes ', 'olga', 'Olga@Example.com'])
  expect(owner).toEqual({ OWNER_NAME: 'Olga Reyes', OWNER_EMAIL: 'olga@example.com' })
  expect(shown.match(/Name: /g)).toHaveLength(2)
  expect(shown.match(/Enter an email address/g)).toHaveLength(1)
})

it('asks only for what the settings do not define', async () => {
  const { owner, shown } = await answer({ OWNER_EMAIL: 'olga@example.com' }, ['Olga Reyes'])
  expect(owner).toEqual({ OWNER_NAME: 'Olga Reyes', OWNER_EMAIL: 'olga@example.com' })
  expect(shown).not.toContain('Email: ')
})

it('continues without an answer when the input ends', async () => {
  expect((await answer({}, [])).owner).toEqual({ OWNER_NAME: undefined, OWNER_EMAIL: undefined })
})
