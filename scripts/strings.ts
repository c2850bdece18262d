/** Lists every user-facing string: `npm run strings`. With `--write`, updates docs/strings.csv. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { csvLine } from '../contract/src/kit/csv.ts'

export const STRINGS_FILE = join(import.meta.dirname, '../docs/strings.csv')

export interface Found {
  place: string
  line: number
  kind: string
  text: string
}

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

/** What the surrounding code tells about a string. */
interface Context {
  kind: string
  isShown: boolean
}

const SHIPPED = /^(contract|server|web)\/src\/.*\.tsx?$/
const NOT_SHIPPED =
  /\.(test|testing|factory|page|setup|guard)\.tsx?$|\/testing\/|\/embedded\/for-tests|\/gallery\/|\/schema\.ts$/

// Attributes and properties that are always shown, and those that never are.
const SHOWN = /^(aria-label|aria-description|label|title|placeholder|alt|hint|note|detail|about|body|summary|subject)$/
const TECHNICAL =
  /^(className|type|name|id|href|to|path|key|role|autoComplete|color|rel|d|viewBox|transform|style|codes?)$/
// Arguments of these calls are for machines or developers.
const MACHINE_CALLS =
  /^((Range|Type|Syntax)?Error|RegExp|Date|URL|querySelector(All)?|matchMedia|useMediaQuery|closest|matches|matchAll|includes|startsWith|endsWith|split|regex|test|exec|header|log|debug|warn|query|execute|ref|on|set|select(From|All)?|where(Ref)?|orWhere|groupBy|orderBy|returning|having|\w+Join(Lateral)?|setIsolationLevel)$/

const collapse = (text: string) => text.replace(/\s+/g, ' ').trim()

const SQL =
  /^\s*(select|insert into|update|delete from|with|alter|create|drop|set|from|where|begin)\s[\s\S]*\b(from|table|set|where|values|transaction|as|=|coalesce|session)\b/
// Selectors, styles, URLs, names of types and settings, SQL columns.
const MACHINE =
  /[{};]\s|=>|^[.#&@[:(]|^--|^[\d.]+(px|fr|rem)|^[a-z]+\(|^https?:|^\/|^[A-Z]+_[A-Z_]+$|var\(|^([A-Z][a-z]+){2,}$|^\w+(\.\w+)? as \w+$|\$\d|::/

/** User-facing text starts with a capital letter or has several words. */
function isReadable(text: string): boolean {
  const plain = text.replace(/\{[\w.…]*\}/g, '0')
  if (!/\p{L}{2}/u.test(plain) || /^[a-z]+(-[a-z]+)*$/.test(plain) || SQL.test(plain) || MACHINE.test(plain))
    return false
  return /^\P{L}*\p{Lu}\p{Ll}/u.test(plain) || /[\p{L}\d][,.:]? [\p{L}\d]/u.test(plain)
}

/** The kind of all strings in a file, if they share one. */
function kindOfFile(place: string): string | undefined {
  if (/^server\/src\/cli\//.test(place)) return 'command line'
  if (/mails?(-\w+)?\.ts$/.test(place) && place.startsWith('server/')) return 'mail'
  if (/^server\/src\/support\/texts\//.test(place)) return 'text message'
  return undefined
}

const isCsvHeader = (place: string, name: string) =>
  /^server\/.*\.(routes|present)\.ts$/.test(place) && /columns$/i.test(name)

/** The user-facing strings of one file, in order. */
export function stringsOf(place: string, source: string): Found[] {
  const found: Found[] = []
  const { program } = parseSync(place, source)
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const add = (node: Node, kind: string, text: string) => {
    if (!/\p{L}/u.test(text.replace(/\{[^}]*\}/g, ''))) return
    const line = starts.findLastIndex((start) => start <= node.start) + 1
    found.push({ place, line, kind: kindOfFile(place) ?? kind, text: collapse(text) })
  }
  const placeholder = (node: Node) => {
    const code = source.slice(node.start, node.end)
    return /^[\w.]{1,30}$/.test(code) ? `{${code}}` : '{…}'
  }
  const textOf = (node: Node): string | undefined => {
    if (node.type === 'Literal' && typeof node.value === 'string') return node.value
    if (node.type !== 'TemplateLiteral') return undefined
    const [quasis, expressions] = [node.quasis as { value: { cooked: string } }[], node.expressions as Node[]]
    return quasis.map(({ value }, at) => value.cooked + (expressions[at] ? placeholder(expressions[at]) : '')).join('')
  }
  const nameOf = (node: Node): string => {
    const named = (node.name ?? (node.property as Node | undefined)?.name ?? node.value) as unknown
    return typeof named === 'string' ? named : ''
  }

  /** The context for the strings inside a node; undefined if none of them is user-facing. */
  const contextOf = (node: Node, { kind, isShown }: Context): (Context & { skip?: string }) | undefined => {
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
      case 'TaggedTemplateExpression':
      case 'JSXText':
        return undefined
      case 'JSXExpressionContainer':
      case 'ArrayExpression':
        return { kind, isShown }
      case 'ConditionalExpression':
      case 'LogicalExpression':
        return { kind, isShown, skip: 'test' }
      case 'JSXAttribute': {
        const name = nameOf(node.name as Node)
        const isText = SHOWN.test(name)
        return TECHNICAL.test(name) ? undefined : { kind: isText ? name : 'word', isShown: isText, skip: 'name' }
      }
      case 'Property': {
        const name = nameOf(node.key as Node)
        if (TECHNICAL.test(name) && textOf(node.value as Node) !== undefined) return undefined
        return { kind: name === 'refusals' ? 'refusal' : SHOWN.test(name) ? name : kind, isShown: false, skip: 'key' }
      }
      case 'VariableDeclarator':
        return isCsvHeader(place, nameOf(node.id as Node))
          ? { kind: 'column', isShown: true }
          : { kind, isShown: false }
      case 'CallExpression':
      case 'NewExpression': {
        const name = nameOf(node.callee as Node)
        if (MACHINE_CALLS.test(name) && !place.startsWith('server/src/cli/')) return undefined
        return { kind: /^toast/.test(name) ? 'toast' : name === 'refuse' ? 'refusal' : kind, isShown: false }
      }
      default:
        if (node.type.startsWith('TS') && !/^TS(As|Satisfies|NonNull)Expression$/.test(node.type)) return undefined
        return { kind: node.type.startsWith('JSX') ? 'word' : kind, isShown: false }
    }
  }

  const walk = (node: Node, here: Context): void => {
    const text = textOf(node)
    if (text !== undefined && (here.isShown ? text.trim() !== '' : isReadable(text))) add(node, here.kind, text)
    const parts = /^JSX(Element|Fragment)$/.test(node.type) ? (node.children as Node[]) : []
    if (parts.some((part) => part.type === 'JSXText' && /\p{L}/u.test(part.value as string)))
      add(node, 'text', parts.map(jsxPart).join(''))
    const next = contextOf(node, here)
    if (!next) return
    for (const [key, value] of Object.entries(node))
      for (const each of key === next.skip ? [] : [value].flat())
        if (each && typeof each === 'object' && 'type' in each) walk(each as Node, next)
  }
  const jsxPart = (part: Node): string => {
    if (part.type === 'JSXText') return part.value as string
    const inner = part.type === 'JSXExpressionContainer' ? (part.expression as Node) : part
    if (inner.type === 'JSXEmptyExpression') return ''
    return textOf(inner) ?? placeholder(inner)
  }
  walk(program as unknown as Node, { kind: 'word', isShown: false })
  return found
}

/** Whether the file is part of the product. */
export const isShipped = (path: string) => SHIPPED.test(path) && !NOT_SHIPPED.test(path)

export function allStrings(): Found[] {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' }).split('\n')
  return files
    .filter((path) => isShipped(path) && existsSync(path))
    .flatMap((path) => stringsOf(path, readFileSync(path, 'utf8')))
}

/** The list as CSV, without line numbers, which would change with every edit. */
export function asCsv(found: readonly Found[]): string {
  const rows = new Set(found.map(({ place, kind, text }) => csvLine([place, kind, text])))
  return csvLine(['place', 'kind', 'text']) + [...rows].sort().join('')
}

if (import.meta.main) {
  const found = allStrings()
  if (process.argv.includes('--write')) writeFileSync(STRINGS_FILE, asCsv(found))
  else for (const { place, line, kind, text } of found) process.stdout.write(`${place}:${line} ${kind}: ${text}\n`)
  process.stderr.write(`${found.length} strings.\n`)
}
