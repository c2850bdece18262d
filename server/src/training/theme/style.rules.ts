import { MAX_CSS, type StyleNote } from '@limber/contract/training/values.ts'
import type { CssNode, Declaration, Rule, Selector } from 'css-tree'
import { cssTree } from './css-parser.ts'

const wordSet = (text: string) => new Set(text.split(' '))

const atRules = wordSet('media supports keyframes -webkit-keyframes')
const functions = wordSet(
  'calc min max clamp abs sign round mod rem sin cos tan pow sqrt rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark var ' +
    'linear-gradient radial-gradient conic-gradient repeating-linear-gradient repeating-radial-gradient repeating-conic-gradient ' +
    'cubic-bezier steps linear translate translatex translatey translatez translate3d scale scalex scaley scalez scale3d rotate rotatex rotatey rotatez rotate3d ' +
    'skew skewx skewy matrix matrix3d perspective blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia ' +
    'minmax repeat fit-content inset circle ellipse polygon counter counters',
)
const pseudoClasses = wordSet(
  'hover focus focus-visible focus-within active link any-link target checked disabled enabled required optional valid invalid read-only read-write ' +
    'first-child last-child only-child first-of-type last-of-type only-of-type nth-child nth-last-child nth-of-type nth-last-of-type empty not is where has lang dir open',
)
const pseudoElements = wordSet('before after first-line first-letter marker placeholder selection')
// Older CSS writes these with a single colon; css-tree parses them as pseudo-classes.
const legacyElements = wordSet('before after first-line first-letter')
const properties = wordSet('behavior -moz-binding src -ms-behavior')
const outsideTags = wordSet('html body head')

const decoded = (name: string) => cssTree().ident.decode(name).toLowerCase()

/** A node that is not allowed, and why. */
interface Fault {
  node: CssNode
  text: string
}

function faultOfValue(declaration: Declaration): string | undefined {
  const property = decoded(declaration.property)
  if (properties.has(property)) return `"${property}" is not allowed.`
  let fault: string | undefined
  cssTree().walk(declaration.value, (node) => {
    fault ??= faultOfPart(node, property)
  })
  return fault
}

function faultOfPart(node: CssNode, property: string): string | undefined {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- only these of the parser's forty node types can do harm
  switch (node.type) {
    case 'Url':
      return 'Custom CSS cannot load anything: url() is not allowed.'
    case 'Function': {
      const name = decoded(node.name)
      if (!functions.has(name)) return `${name}() is not allowed.`
      return property === 'position' ? '"position" must be a literal value.' : undefined
    }
    case 'Identifier':
      return property === 'position' && !['static', 'relative', 'absolute', 'sticky'].includes(decoded(node.name))
        ? `"position: ${decoded(node.name)}" is not allowed.`
        : undefined
    case 'String':
      return node.value.includes('<') ? 'A string cannot contain "<".' : undefined
    case 'Raw':
      return 'This is not valid CSS.'
    default:
      return undefined
  }
}

function faultOfSelector(selector: CssNode, scope: string): string | undefined {
  let fault: string | undefined
  cssTree().walk(selector, (node) => {
    if (fault) return
    if (node.type === 'Raw') fault = 'This selector is not valid.'
    else if (node.type === 'NestingSelector') fault = '"&" is not allowed.'
    else if (node.type === 'TypeSelector' && (outsideTags.has(decoded(node.name)) || node.name.includes('|')))
      fault = `"${node.name}" is outside the course.`
    else if (node.type === 'PseudoClassSelector') {
      const name = decoded(node.name)
      if (!pseudoClasses.has(name) && !legacyElements.has(name)) fault = `":${name}" is not allowed.`
    } else if (node.type === 'PseudoElementSelector' && !pseudoElements.has(decoded(node.name)))
      fault = `"::${decoded(node.name)}" is not allowed.`
  })
  if (fault || selector.type !== 'SelectorList') return fault
  const reachesOut = selector.children.toArray().some((one) => one.type === 'Selector' && leavesScope(one, scope))
  return reachesOut ? 'This selector reaches outside the course.' : undefined
}

const scopeAt = (selector: Selector, scope: string) => {
  const parts = selector.children.toArray()
  const end = parts.findIndex(({ type }) => type === 'Combinator')
  const first = parts.slice(0, end === -1 ? undefined : end)
  return { isScope: first.some((part) => part.type === 'ClassSelector' && part.name === scope), next: parts[end] }
}

/** A selector that starts with the scope class may select descendants, not siblings. */
function leavesScope(selector: Selector, scope: string): boolean {
  const { isScope, next } = scopeAt(selector, scope)
  if (selector.children.first?.type === 'Combinator') return true
  return isScope && next?.type === 'Combinator' && next.name !== ' ' && next.name !== '>'
}

const isBlank = (node: CssNode) => node.type === 'Raw' && /^[\s;]*$/.test(node.value)

function findFaults(sheet: CssNode, scope: string): Fault[] {
  const faults: Fault[] = []
  const visit = (node: CssNode, isKeyframe: boolean) => {
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- any other node type is a fault
    switch (node.type) {
      case 'StyleSheet':
      case 'Block':
        node.children.forEach((child) => {
          visit(child, isKeyframe)
        })
        return
      case 'Atrule': {
        const name = decoded(node.name)
        if (!atRules.has(name) || !node.block) return faults.push({ node, text: `@${name} is not allowed.` })
        const prelude = node.prelude && faultOfPrelude(node.prelude)
        if (prelude) return faults.push({ node, text: prelude })
        return visit(node.block, name.endsWith('keyframes'))
      }
      case 'Rule': {
        const text = isKeyframe ? undefined : faultOfSelector(node.prelude, scope)
        if (text) return faults.push({ node, text })
        return visit(node.block, isKeyframe)
      }
      case 'Declaration': {
        const text = faultOfValue(node)
        if (text) faults.push({ node, text })
        return
      }
      case 'Comment':
        return
      default:
        if (!isBlank(node)) faults.push({ node, text: 'This is not valid CSS.' })
    }
  }
  visit(sheet, false)
  return faults
}

function faultOfPrelude(prelude: CssNode): string | undefined {
  let fault: string | undefined
  cssTree().walk(prelude, (node) => {
    if (node.type === 'Url') fault = 'Custom CSS cannot load anything: url() is not allowed.'
    if (node.type === 'Raw' || node.type === 'String') fault = 'This is not valid CSS.'
  })
  return fault
}

const parse = (source: string) => cssTree().parse(source, { positions: true, parseCustomProperty: true })

/** Removes what would close the style element. */
const withoutTags = (source: string) => source.replace(/<(?=[/!])|-->/g, '')

/** Cuts the faulty nodes out of the text and leaves the rest as typed. */
function cut(source: string, faults: readonly Fault[]): string {
  let kept = ''
  let at = 0
  for (const { node } of faults) {
    const { start, end } = node.loc ?? { start: { offset: at }, end: { offset: at } }
    if (start.offset < at) continue
    kept += source.slice(at, start.offset)
    at = end.offset
  }
  return kept + source.slice(at)
}

/** Prefixes every selector and animation name with the scope; animation names are global to the page. */
function scopeRules(sheet: CssNode, scope: string): string {
  const frames = new Set<string>()
  cssTree().walk(sheet, (node) => {
    if (node.type !== 'Atrule' || !decoded(node.name).endsWith('keyframes')) return
    node.prelude?.type === 'AtrulePrelude' &&
      node.prelude.children.forEach((name) => {
        if (name.type === 'Identifier') frames.add(name.name)
      })
  })
  const rename = (name: string) => (frames.has(name) ? `${scope}--${name}` : name)
  cssTree().walk(sheet, function (node) {
    if (node.type === 'Rule' && !(this.atrule && decoded(this.atrule.name).endsWith('keyframes'))) prefix(node, scope)
    if (node.type === 'Identifier' && (isAnimation(this.declaration) || isFrameName(this.atrulePrelude, this.atrule)))
      node.name = rename(node.name)
  })
  return cssTree().generate(sheet)
}

const isAnimation = (declaration: Declaration | null) =>
  declaration !== null && /^(-webkit-)?animation(-name)?$/.test(decoded(declaration.property))
const isFrameName = (prelude: CssNode | null, atrule: { name: string } | null) =>
  prelude !== null && atrule !== null && decoded(atrule.name).endsWith('keyframes')

function prefix(rule: Rule, scope: string) {
  if (rule.prelude.type !== 'SelectorList') return
  rule.prelude.children.forEach((selector) => {
    if (selector.type !== 'Selector' || scopeAt(selector, scope).isScope) return
    selector.children.prependData({ type: 'Combinator', name: ' ' })
    selector.children.prependData({ type: 'ClassSelector', name: scope })
  })
}

const MAX_ROUNDS = 5
/** The result for a stylesheet that cannot be parsed. */
export const unreadable: CleanStyles = {
  source: '',
  scoped: '',
  notes: [{ line: 1, column: 1, text: 'This CSS cannot be read.' }],
}

export interface CleanStyles {
  /** The text as typed, without what is not allowed. */
  source: string
  /** The text to display, with every rule scoped to the class. */
  scoped: string
  notes: StyleNote[]
}

export type Cleaner = (typed: string, scope: string) => CleanStyles

/**
 * Filters custom CSS so that it loads nothing and affects nothing outside its scope. Nodes that are not allowed are cut
 * out and reported; the rest stays as typed. Cutting can join the parts around a node, so the result is parsed again
 * until there is nothing left to cut.
 */
export function cleanStyles(typed: string, scope: string): CleanStyles {
  const notes: StyleNote[] = []
  if (typed.length > MAX_CSS) return unreadable
  let source = withoutTags(typed)
  if (source.trim() === '') return { source: '', scoped: '', notes }
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const sheet = tryParse(source)
    if (!sheet) return unreadable
    const faults = findFaults(sheet, scope)
    if (faults.length === 0) return { source: source.trim() && source, scoped: scopeRules(sheet, scope), notes }
    // Positions of later rounds refer to an intermediate text that the author never saw.
    if (round === 0)
      for (const { node, text } of faults.slice(0, 50))
        notes.push({ line: node.loc?.start.line ?? 1, column: node.loc?.start.column ?? 1, text })
    source = withoutTags(cut(source, faults))
  }
  return { ...unreadable, notes: [...notes, ...unreadable.notes] }
}

/** Extremely nested text overflows the stack of the parser. */
function tryParse(source: string): CssNode | undefined {
  try {
    return parse(source)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
