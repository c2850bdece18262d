import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'rolldown/utils'

interface Node {
  type: string
  [key: string]: unknown
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
const nameIn = (value: unknown) => (isNode(value) && value.type === 'Identifier' ? String(value.name) : undefined)

/** Calls back with each node that is not a type. */
function walk(node: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(node)) for (const one of node) walk(one, visit)
  if (!isNode(node) || node.type.startsWith('TSType') || node.type.startsWith('TSInterface')) return
  visit(node)
  for (const value of Object.values(node)) walk(value, visit)
}

/** A declaration at the top of a file: what it passes to functions, and all that it names. */
interface Declared {
  name: string
  passes: ReadonlySet<string>
  names: ReadonlySet<string>
}

function readDeclared(statement: Node): Declared[] {
  const declaration = isNode(statement.declaration) ? statement.declaration : statement
  const parts = declaration.type === 'VariableDeclaration' ? (declaration.declarations as Node[]) : [declaration]
  return parts.flatMap((part): Declared[] => {
    const name = nameIn(part.id)
    if (!name) return []
    const [passes, names] = [new Set<string>(), new Set<string>()]
    walk(part, (node) => {
      const used = nameIn(node)
      if (used && node !== part.id) names.add(used)
      if (node.type === 'CallExpression')
        for (const one of node.arguments as unknown[]) {
          const passed = nameIn(one)
          if (passed) passes.add(passed)
        }
    })
    return [{ name, passes, names }]
  })
}

const root = join(import.meta.dirname, '..')
const list = (folder: string) =>
  execFileSync('git', ['ls-files', folder], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file) && !/\.test|\.testing|\/testing\//.test(file))

interface File {
  text: string
  declared: readonly Declared[]
  /** Where an imported name comes from: file and name. */
  imports: ReadonlyMap<string, string>
}

function fileOf(path: string, from: string): string {
  if (from.startsWith('@limber/contract/')) return from.replace('@limber/contract/', 'contract/src/')
  if (from.startsWith('#')) return from.replace('#', 'web/src/')
  return from.startsWith('.') ? join(dirname(path), from) : from
}

function read(path: string): File {
  const text = readFileSync(join(root, path), 'utf8')
  const { program } = parseSync(path, text)
  const body = program.body as unknown as Node[]
  const imports = body
    .filter((node) => node.type === 'ImportDeclaration' && node.importKind !== 'type')
    .flatMap((node) =>
      (node.specifiers as Node[]).map((one): [string, string] => [
        String(nameIn(one.local)),
        `${fileOf(path, String((node.source as Node).value))} ${nameIn(one.imported) ?? 'default'}`,
      ]),
    )
  return { text, declared: body.flatMap(readDeclared), imports: new Map(imports) }
}

/** The constants of some calls, by name such as `POST /api/backups`: `file constant`. */
export function constantsOf(names: ReadonlySet<string>): ReadonlyMap<string, string> {
  return new Map(
    list('contract/src').flatMap((file) =>
      [
        ...readFileSync(join(root, file), 'utf8').matchAll(
          /export const (\w+) = defineCall\(\{\s*method: '(\w+)',\s*path: '([^']+)'/g,
        ),
      ].flatMap(([, constant, method, path]): [string, string][] =>
        names.has(`${method} ${path}`) ? [[`${method} ${path}`, `${file} ${constant}`]] : [],
      ),
    ),
  )
}

/** The source of the web, and how its files reach calls. */
export function readWeb() {
  const files = new Map(list('web/src').map((path) => [path, read(path)]))
  const origin = (path: string, name: string) => files.get(path)?.imports.get(name) ?? `${path} ${name}`
  /** The files that send one of these calls, by themselves or with what a file of calls exports. */
  const placesOf = (constants: ReadonlySet<string>) => {
    const changing = new Set<string>()
    for (let before = -1; before !== changing.size; ) {
      before = changing.size
      for (const [path, { declared }] of files)
        if (path.endsWith('.api.ts'))
          for (const { name, passes, names } of declared)
            if (
              [...passes].some((one) => constants.has(origin(path, one))) ||
              [...names].some((one) => changing.has(origin(path, one)))
            )
              changing.add(`${path} ${name}`)
    }
    return [...files].filter(
      ([path, { declared }]) =>
        !path.endsWith('.api.ts') &&
        declared.some(
          ({ passes, names }) =>
            [...names].some((one) => changing.has(origin(path, one))) ||
            [...passes].some((one) => constants.has(origin(path, one))),
        ),
    )
  }
  /** Of these constants, those that some file sends. */
  const sentOf = (constants: ReadonlySet<string>) =>
    new Set(
      [...files].flatMap(([path, { declared }]) =>
        declared.flatMap(({ passes }) =>
          [...passes].map((one) => origin(path, one)).filter((one) => constants.has(one)),
        ),
      ),
    )
  const textOf = (path: string) => files.get(path)?.text ?? ''
  return { placesOf, sentOf, textOf }
}
