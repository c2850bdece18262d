import { describe, expect, it } from 'vitest'
import { describeError, makeLog } from './log.ts'

const written = (say: (log: ReturnType<typeof makeLog>) => void, level = 'info') => {
  const lines: string[] = []
  say(makeLog(level, { write: (line) => lines.push(line) }))
  return lines.map((line) => JSON.parse(line))
}

describe('the log', () => {
  it('writes JSON lines with a level and a time', () => {
    expect(written((log) => log.warn('slow', { ms: 12, call: 'GET /x' }))).toMatchObject([
      { level: 'warn', msg: 'slow', ms: 12, call: 'GET /x', time: expect.any(String) },
    ])
  })
  it('drops fields that are not on the allowlist', () => {
    const [line] = written((log) =>
      log.info('hello', { code: 'x', body: 'canary-2207', cookie: 'canary-2207' } as never),
    )
    expect(JSON.stringify(line)).not.toContain('canary')
    expect(line).toMatchObject({ code: 'x' })
  })
  it('writes nothing below its level', () => {
    expect(written((log) => log.info('quiet'), 'error')).toEqual([])
  })
  it('removes personal data and secrets from error messages and stacks', () => {
    const canaries = [
      'robin.vale@',
      'hunter2',
      '482915',
      'token=abc',
      '+14155550134',
      'dGhpcyBpcyBhIHNlY3JldCB0b2tlbg12',
    ]
    const message = `no route: smtp://desk:hunter2@mail.example.com
      for robin.vale@example.com, code 482915, /x?token=abc, +14155550134
    at robin.vale@example.com (Bearer-dGhpcyBpcyBhIHNlY3JldCB0b2tlbg12:1:2)`
    for (const error of [new Error(message), message]) {
      const line = JSON.stringify(written((log) => log.error('failed', describeError(error))))
      expect(canaries.filter((canary) => line.includes(canary))).toEqual([])
      expect(line).toContain('mail.example.com')
    }
  })
  it('shortens long error messages', () => {
    const { reason, name } = describeError(new TypeError('x'.repeat(2000)))
    expect(name).toBe('TypeError')
    expect(String(reason).length).toBe(500)
  })
})
