import { Agent, get } from 'node:http'
import { checkReady } from '@limber/contract/kit/meta.ts'
import { expect, it } from 'vitest'
import { startTestServer } from '#platform/testing/testing.ts'

interface Answer {
  status: number | undefined
  isLast: boolean
}

const ask = (agent: Agent, url: string) =>
  new Promise<Answer>((done, fail) => {
    get(url, { agent }, (reply) => {
      reply.resume()
      reply.once('end', () => done({ status: reply.statusCode, isLast: reply.headers.connection === 'close' }))
    }).once('error', fail)
  })

it('a process that stops answers everything that is sent to it, and lets go of every connection', {
  timeout: 60_000,
}, async () => {
  const server = await startTestServer()
  const agent = new Agent({ keepAlive: true })
  const answers: Answer[] = []
  const people = Array.from({ length: 20 }, async () => {
    // Whoever hears that the connection ends goes to another process.
    for (let isLast = false; !isLast; ) {
      const answer = await ask(agent, `${server.url}/healthz`)
      answers.push(answer)
      isLast = answer.isLast
    }
  })
  await expect.poll(() => answers.length, { timeout: 20_000 }).toBeGreaterThan(40)
  const leaving = server.running.leave(500)
  expect((await server.anonymous().send(checkReady, {})).status).toBe(503)
  await Promise.all(people)
  await leaving
  await server.stop()
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  agent.destroy()
})
