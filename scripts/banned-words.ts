import { execFileSync } from 'node:child_process'
import words from './banned-words.json' with { type: 'json' }
import { isShipped, stringsOf } from './strings.ts'

interface Banned {
  pattern: RegExp
  instead: string
  except?: RegExp
  /** A breach, which the test shows to be found. */
  example: string
}

const read = (list: readonly { pattern: string; instead: string; except?: string; example: string }[]): Banned[] =>
  list.map(({ pattern, except, ...rest }) => ({
    ...rest,
    // Case counts for names in code that begin with a capital, and for nothing that people read.
    pattern: new RegExp(pattern, list === words.text ? 'i' : ''),
    ...(except ? { except: new RegExp(except) } : {}),
  }))

/** Names and phrases that are gone from the code, tests and comments included. Add one when the last is gone. */
export const bannedInCode = read(words.code)

/** What no person may read: see `npm run strings` for all that they do. */
export const bannedInText = read(words.text)

/** Commits that are not on the main branch yet may not have a longer subject. */
const MAX_SUBJECT = 72

export function findBanned(path: string, source: string): string[] {
  const inCode = source
    .split('\n')
    .flatMap((line, at) =>
      bannedInCode
        .filter(({ pattern, except }) => !except?.test(path) && pattern.test(line))
        .map(({ instead }) => `${path}:${at + 1} retired, write ${instead}\n    ${line.trim()}`),
    )
  const strings = isShipped(path) ? stringsOf(path, source) : []
  const inText = strings.flatMap(({ line, text }) =>
    bannedInText
      .filter(({ pattern }) => pattern.test(text))
      .map(({ instead }) => `${path}:${line} in a text that people read, write ${instead}\n    ${text}`),
  )
  return [...inCode, ...inText]
}

/** The subjects that are too long, of the commits since the main branch; none where there is no main branch. */
export function longSubjects(folder: string): string[] {
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', folder, ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const known = git('for-each-ref', '--format=%(refname)', 'refs/remotes/origin/main', 'refs/heads/main').split('\n')
  const base = known.findLast((name) => name !== '')
  if (base === undefined) return []
  return git('log', '--format=%s', `${base}..HEAD`)
    .split('\n')
    .filter(({ length }) => length > MAX_SUBJECT)
    .map((subject) => `The subject of a commit has more than ${MAX_SUBJECT} characters: ${subject}`)
}
