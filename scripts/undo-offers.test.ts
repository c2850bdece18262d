import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { calls } from '@limber/contract/calls.ts'
import { parseSync } from 'rolldown/utils'
import { expect, it } from 'vitest'
import { undoList } from '../server/src/undo-list.ts'
import { nameOf } from '../server/src/undo-table.ts'

/** Places that change something undoable without the message of `toastUndo`, each with the reason. */
const without: Readonly<Record<string, string>> = {
  'web/src/support/tickets/list/use-bulk-change.ts': 'Undo of many tickets also says which ones changed since.',
}

const OFFER = /\b(toastUndo|succeed)\(/

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

/** The constants of the undoable calls: file and name. */
function undoableCalls(): ReadonlySet<string> {
  const undoable = new Set(calls.map(nameOf).filter((name) => undoList.get(name)?.by === 'history'))
  return new Set(
    list('contract/src').flatMap((file) =>
      [
        ...readFileSync(join(root, file), 'utf8').matchAll(
          /export const (\w+) = defineCall\(\{\s*method: '(\w+)',\s*path: '([^']+)'/g,
        ),
      ].flatMap(([, name, method, path]) => (undoable.has(`${method} ${path}`) ? [`${file} ${name}`] : [])),
    ),
  )
}

it('each place that makes an undoable change offers Undo in its message', () => {
  const undoable = undoableCalls()
  expect(undoable.size).toBe([...undoList.values()].filter(({ by }) => by === 'history').length)
  const files = new Map(list('web/src').map((path) => [path, read(path)]))
  const changing = new Set<string>()
  // What a file of calls exports: the hooks that send an undoable call, also through another function of the file.
  const origin = (path: string, name: string) => files.get(path)?.imports.get(name) ?? `${path} ${name}`
  for (let before = -1; before !== changing.size; ) {
    before = changing.size
    for (const [path, { declared }] of files)
      if (path.endsWith('.api.ts'))
        for (const { name, passes, names } of declared)
          if (
            [...passes].some((one) => undoable.has(origin(path, one))) ||
            [...names].some((one) => changing.has(origin(path, one)))
          )
            changing.add(`${path} ${name}`)
  }
  const places = [...files].filter(
    ([path, { declared }]) =>
      !path.endsWith('.api.ts') &&
      declared.some(
        ({ passes, names }) =>
          [...names].some((one) => changing.has(origin(path, one))) ||
          [...passes].some((one) => undoable.has(origin(path, one))),
      ),
  )
  expect(places.length).toBeGreaterThan(40)
  const silent = places.filter(([, { text }]) => !OFFER.test(text)).map(([path]) => path)
  expect(silent.toSorted()).toEqual(Object.keys(without).toSorted())
  // Every undoable call is changed by hand somewhere.
  const sent = new Set(
    [...files].flatMap(([path, { declared }]) =>
      declared.flatMap(({ passes }) => [...passes].map((one) => origin(path, one)).filter((one) => undoable.has(one))),
    ),
  )
  expect([...undoable].filter((call) => !sent.has(call))).toEqual([])
})
