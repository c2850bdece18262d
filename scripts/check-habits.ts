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

// Rules that no linter has. Retired names and words are listed in banned-words.json.
const habits: Habit[] = [
  {
    name: 'direct clock access',
    pattern: /new Date\(\)|Date\.now\(\)/,
    where: /^(contract|server|web)\/src\//,
    except: /\/clock\.ts$|[.]test[.]tsx?$|testing|^server\/src\/embedded\//,
    instead: 'use clock.ts, in factories factory-clock.ts',
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
    instead: 'use the name of the permission',
  },
  {
    name: 'raw HTML',
    pattern: /dangerouslySetInnerHTML|\.(inner|outer)HTML\s*=|insertAdjacentHTML|document\.write\(|srcDoc=/,
    where: /^web\/src\//,
    // The payload tests check that these run no script. All other text is rendered as text nodes.
    except:
      /^web\/src\/training\/(preview\/(markup|course-frame)|lessons\/payloads\.page)\.tsx$|[.]test[.]tsx?$|testing/,
    instead: 'render text as text, and markup with <Markup>',
  },
  {
    name: 'text as a replacement pattern',
    // The replacement may contain `$&` or `$'`, which would expand.
    pattern:
      /\.replace(?:All)?\((?:'[^']*'|"[^"]*"|\/(?:\\.|[^/\\])+\/[a-z]*|[\w.]+), (?!'[^']*'|"[^"]*"|`[^`$]*`|\([^)]*\) =>|\w+ =>|\{)/,
    where: /^((contract|server|web)\/src|seed)\//,
    except: /[.]test[.]tsx?$|^server\/src\/platform\/security\/scrub\.ts$/,
    instead: 'pass a function: .replace(pattern, () => text)',
  },
  {
    name: 'hand-written CSV',
    pattern: /text\/csv|replaceAll\('"', '""'\)/,
    where: /^(contract|server|web)\/src\//,
    except:
      /^contract\/src\/kit\/csv\.ts$|^server\/src\/platform\/exports\/export\.ts$|^web\/src\/ui\/table\/csv\.ts$|[.]test[.]tsx?$/,
    instead: 'use exporting() on the server or csvText() of web/src/ui/table/csv.ts',
  },
  {
    name: 'lost refusal',
    pattern: /\bonError:/,
    where: /^web\/src\/.*[.]tsx$/,
    except: /[.]test[.]tsx$|testing/,
    instead: 'await mutateAsync() and catch; onError is lost when the component unmounts',
  },
  {
    name: 'disabled type check',
    pattern: /\bas never\b/,
    where: /^(contract|server|web)\/src\//,
    except: /[.]test[.]tsx?$|testing/,
    instead: 'use the real type; for links use linkTo(), hrefTo() or withSearch() of platform/routing/links.ts',
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
    // Messages from the wire are not typed yet.
    except: /\/platform\/live\/live\.ts$|[.]test[.]tsx?$|testing/,
    instead: 'use LiveTopic of contract/src/kit/live.ts, and liveText() for messages',
  },
  {
    name: 'cast of a refusal record',
    pattern: /\bcurrent as\b|currentOf\([^)]*\) as\b/,
    where: /^(server|web)\/src\//,
    except: /^web\/src\/platform\/api\/call-failure\.ts$|[.]test[.]tsx?$|testing/,
    instead: 'use currentOf<typeof call>(error), which is typed by the contract',
  },
]

const MAX_FILES_PER_FOLDER = 30

const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => existsSync(path))
const files = listed.filter((path) => /\.tsx?$/.test(path))

const folders = Map.groupBy(
  listed.filter((path) => !/^(server\/migrations|docs)\//.test(path)),
  (path) => dirname(path),
)
const crowdedFolders = [...folders]
  .filter(([, { length }]) => length > MAX_FILES_PER_FOLDER)
  .map(
    ([folder, { length }]) => `${folder} has ${length} files (limit ${MAX_FILES_PER_FOLDER}). Group them by resource.`,
  )

const habitViolations = files.flatMap((path) => {
  const applicable = habits.filter((habit) => habit.where.test(path) && !habit.except.test(path))
  if (applicable.length === 0) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line, i) =>
      applicable
        .filter((habit) => habit.pattern.test(line))
        .map((habit) => `${path}:${i + 1} ${habit.name}: ${habit.instead}\n    ${line.trim()}`),
    )
})
const banned = files.flatMap((path) => findBanned(path, readFileSync(path, 'utf8')))
const violations = [...crowdedFolders, ...habitViolations, ...banned, ...longSubjects('.')]
for (const violation of violations) process.stdout.write(`${violation}\n`)
process.stdout.write(
  violations.length === 0 ? `${files.length} files checked, no violations.\n` : `${violations.length} violations.\n`,
)
process.exitCode = violations.length > 0 ? 1 : 0
