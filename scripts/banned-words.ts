import { execFileSync } from 'node:child_process'
import words from './banned-words.json' with { type: 'json' }
import { isShipped, stringsOf } from './strings.ts'

interface Banned {
  pattern: RegExp
  instead: string
  except?: RegExp
  /** A line that the pattern must match; checked by the test. */
  example: string
}

const read = (list: readonly { pattern: string; instead: string; except?: string; example: string }[]): Banned[] =>
  list.map(({ pattern, except, ...rest }) => ({
    ...rest,
    // Case matters for names in code, not for user-facing text.
    pattern: new RegExp(pattern, list === words.text ? 'i' : ''),
    ...(except ? { except: new RegExp(except) } : {}),
  }))

/** Retired names and phrases, also in tests and comments. Add one when its last use is gone. */
export const bannedInCode = read(words.code)

/** Banned in user-facing text, which `npm run strings` lists. */
export const bannedInText = read(words.text)

const MAX_SUBJECT = 72

export function findBanned(path: string, source: string): string[] {
  const inCode = source
    .split('\n')
    .flatMap((line, at) =>
      bannedInCode
        .filter(({ pattern, except }) => !except?.test(path) && pattern.test(line))
        .map(({ instead }) => `${path}:${at + 1} banned, use ${instead}\n    ${line.trim()}`),
    )
  const strings = isShipped(path) ? stringsOf(path, source) : []
  const inText = strings.flatMap(({ line, text }) =>
    bannedInText
      .filter(({ pattern }) => pattern.test(text))
      .map(({ instead }) => `${path}:${line} banned in user-facing text, use ${instead}\n    ${text}`),
  )
  return [...inCode, ...inText]
}

/** Commits since the main branch with a subject that is too long. Without a main branch nothing is checked. */
export function longSubjects(folder: string): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const known = git('for-each-ref', '--format=%(refname)', 'refs/remotes/origin/main', 'refs/heads/main').split('\n')
  const base = known.findLast((name) => name !== '')
  if (base === undefined) return []
  return git('log', '--format=%s', `${base}..HEAD`)
    .split('\n')
    .filter(({ length }) => length > MAX_SUBJECT)
    .map((subject) => `Commit subject is longer than ${MAX_SUBJECT} characters: ${subject}`)
}
