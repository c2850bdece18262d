import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { findBanned, longSubjects } from './banned-words.ts'

interface Habit {
  name: string
  pattern: RegExp
  where: RegExp
  except: RegExp
  instead: string
}

// Habits that no linter knows: one reader of the time, one fetch; names and words that are gone stand in banned-words.json.
const habits: Habit[] = [
  {
    name: 'bare time',
    pattern: /new Date\(\)|Date\.now\(\)/,
    where: /^(contract|server|web)\/src\//,
    except: /\/clock\.ts$|[.]test[.]tsx?$|testing|^server\/src\/embedded\//,
    instead: 'read the time from clock.ts, a factory from factory-clock.ts',
  },
  {
    name: 'second fetch',
    pattern: /(?<![\w.])fetch\(|XMLHttpRequest\b|new EventSource\(/,
    where: /^web\/src\//,
    except: /^web\/src\/platform\/(api\/(api|upload)|live\/live)\.tsx?$|[.]test[.]tsx?$|testing/,
    instead: 'use send() of web/src/platform/api/api.ts',
  },
  {
    name: 'permission number',
    pattern: /(can|useCan|holds|permission[s]?)[=(:]\s*['"{[]?\s*['"]?\d{1,3}\b/,
    where: /^(contract|server|web)\/src\//,
    except: /\/permissions\.ts$|[.]test[.]tsx?$/,
    instead: 'ask for the permission by its name',
  },
  {
    name: 'second place of HTML',
    pattern: /dangerouslySetInnerHTML|\.(inner|outer)HTML\s*=|insertAdjacentHTML|document\.write\(|srcDoc=/,
    where: /^web\/src\//,
    // The payload suite holds these to running nothing; every other text of the product is a text node.
    except:
      /^web\/src\/training\/(preview\/(markup|course-frame)|lessons\/payloads\.page)\.tsx$|[.]test[.]tsx?$|testing/,
    instead: 'show texts as text, and markup with <Markup>',
  },
  {
    name: 'text as a replacement pattern',
    // What is put in may hold `$&` or `$'`, which then expand.
    pattern:
      /\.replace(?:All)?\((?:'[^']*'|"[^"]*"|\/(?:\\.|[^/\\])+\/[a-z]*|[\w.]+), (?!'[^']*'|"[^"]*"|`[^`$]*`|\([^)]*\) =>|\w+ =>|\{)/,
    where: /^((contract|server|web)\/src|seed)\//,
    except: /[.]test[.]tsx?$|^server\/src\/platform\/security\/scrub\.ts$/,
    instead: 'put it in with a function: .replace(found, () => text)',
  },
  {
    name: 'second writer of CSV',
    pattern: /text\/csv|replaceAll\('"', '""'\)/,
    where: /^(contract|server|web)\/src\//,
    except:
      /^contract\/src\/kit\/csv\.ts$|^server\/src\/platform\/http\/csv\.ts$|^web\/src\/ui\/table\/csv\.ts$|[.]test[.]tsx?$/,
    instead: 'write it with streamCsv() of the server or csvText() of web/src/ui/table/csv.ts',
  },
  {
    name: 'refusal that is not heard',
    pattern: /\bonError:/,
    where: /^web\/src\/.*[.]tsx$/,
    except: /[.]test[.]tsx$|testing/,
    instead: 'catch the promise of mutateAsync(), which outlives the part of the screen that asked',
  },
  {
    name: 'type check switched off',
    pattern: /\bas never\b/,
    where: /^(contract|server|web)\/src\//,
    except: /[.]test[.]tsx?$|testing/,
    instead: 'name the type that it has; links take linkTo(), hrefTo() or withSearch() of platform/routing/links.ts',
  },
  {
    name: 'untyped link',
    pattern: /<Link to=(?:["']\/\w|\{`)/,
    where: /^web\/src\//,
    except: /[.]test[.]tsx?$|testing/,
    instead: 'spread linkTo(path, search) of web/src/platform/routing/links.ts',
  },
  {
    name: 'untyped topic',
    pattern: /\btopic: string\b|\{[^}]*\btopic: '/,
    where: /^(server|web)\/src\//,
    // What comes over the wire is not known yet.
    except: /\/platform\/live\/live\.ts$|[.]test[.]tsx?$|testing/,
    instead: 'take LiveTopic of contract/src/kit/live.ts, and write messages with liveText()',
  },
  {
    name: 'record of a refusal by guess',
    pattern: /\bcurrent as\b|currentOf\([^)]*\) as\b/,
    where: /^(server|web)\/src\//,
    except: /^web\/src\/platform\/api\/call-failure\.ts$|[.]test[.]tsx?$|testing/,
    instead: 'read it with currentOf<typeof call>(error), which knows what the contract says',
  },
]

/** A folder with more files hides its parts. */
const MAX_FILES = 30

const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => existsSync(path))
const files = listed.filter((path) => /\.tsx?$/.test(path))

const folders = Map.groupBy(
  listed.filter((path) => !/^(server\/migrations|docs)\//.test(path)),
  (path) => dirname(path),
)
const crowded = [...folders]
  .filter(([, { length }]) => length > MAX_FILES)
  .map(
    ([folder, { length }]) => `${folder} holds ${length} files: group them by resource, at most ${MAX_FILES} a folder`,
  )

const slips = files.flatMap((path) => {
  const wanted = habits.filter((habit) => habit.where.test(path) && !habit.except.test(path))
  if (wanted.length === 0) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line, i) =>
      wanted
        .filter((habit) => habit.pattern.test(line))
        .map((habit) => `${path}:${i + 1} ${habit.name}: ${habit.instead}\n    ${line.trim()}`),
    )
})
const banned = files.flatMap((path) => findBanned(path, readFileSync(path, 'utf8')))
const breaches = [...crowded, ...slips, ...banned, ...longSubjects('.')]
for (const breach of breaches) process.stdout.write(`${breach}\n`)
process.stdout.write(
  breaches.length === 0 ? `${files.length} files keep the habits.\n` : `${breaches.length} breaches.\n`,
)
process.exitCode = breaches.length > 0 ? 1 : 0
