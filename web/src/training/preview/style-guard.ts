// This checks CSS after the browser has parsed it, because the source text can hide things in escapes.

const loads = /(?:url|image-set|image|src|cross-fade|element|paint|expression|-webkit-image-set|attr)\s*\(/i
const banned = new Set(['behavior', '-moz-binding', 'src', '-webkit-user-modify'])
const shorthands = [
  'background', 'border', 'border-color', 'border-width', 'border-radius', 'border-top', 'border-right', 'border-bottom', 'border-left',
  'margin', 'padding', 'font', 'outline', 'flex', 'gap', 'grid', 'grid-template', 'inset', 'transition', 'animation', 'text-decoration', 'list-style', 'overflow',
] // biome-ignore format: one list

const decoded = (text: string) =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\\([0-9a-f]{1,6})\s?/gi, (_, hex: string) =>
      String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff)),
    )
    .replace(/\\(.)/g, '$1')

function isSafe(name: string, value: string): boolean {
  const read = decoded(value)
  if (value === '' || banned.has(name) || loads.test(read)) return false
  if (name === 'position') return /^(static|relative|absolute|sticky)$/.test(read.trim())
  return true
}

function declarationsOf(style: CSSStyleDeclaration): string {
  const names = new Set([
    ...Array.from(style),
    ...shorthands.filter((name) => style.getPropertyValue(name).includes('var(')),
  ])
  return [...names]
    .filter((name) => isSafe(name, style.getPropertyValue(name)))
    .map((name) => `${name}: ${style.getPropertyValue(name)}${style.getPropertyPriority(name) ? ' !important' : ''};`)
    .join(' ')
}

interface RuleContainer {
  insertRule: (rule: string, index?: number) => number
  cssRules: CSSRuleList
}

/** Inserts a rule; a rule the browser rejects is skipped, so that the rest still applies. */
function insert(container: RuleContainer, rule: string): CSSRule | undefined {
  try {
    return container.cssRules[container.insertRule(rule, container.cssRules.length)]
  } catch {
    return undefined
  }
}

function copyKeyframes(frames: CSSKeyframesRule, sheet: RuleContainer): void {
  const steps = Array.from(frames.cssRules)
    .filter((step): step is CSSKeyframeRule => step instanceof CSSKeyframeRule)
    .map((step) => `${step.keyText} { ${declarationsOf(step.style)} }`)
  insert(sheet, `@keyframes ${CSS.escape(frames.name)} { ${steps.join(' ')} }`)
}

/**
 * Rewrites a selector for an @scope rule. Selectors match below the scope root, so the scope class, which every saved
 * rule starts with, becomes `:scope`.
 */
export const inScope = (selector: string, scope: string) => {
  const root = scope.split('.').at(-1) ?? ''
  return selector.replace(new RegExp(`\\.${root}(?![\\w-])`, 'g'), ':scope')
}

function copyRules(rules: CSSRuleList, container: RuleContainer, sheet: RuleContainer, scope: string): void {
  for (const rule of Array.from(rules)) {
    if (rule instanceof CSSStyleRule) {
      const isPrivate = /:visited|:host|::part|::slotted/i.test(decoded(rule.selectorText))
      if (!isPrivate) insert(container, `${inScope(rule.selectorText, scope)} { ${declarationsOf(rule.style)} }`)
    } else if (rule instanceof CSSMediaRule || rule instanceof CSSSupportsRule) {
      const kind = rule instanceof CSSMediaRule ? 'media' : 'supports'
      const inner = insert(container, `@${kind} ${rule.conditionText} {}`)
      if (inner) copyRules(rule.cssRules, inner as CSSGroupingRule, sheet, scope)
    } else if (rule instanceof CSSKeyframesRule) copyKeyframes(rule, sheet)
  }
}

/** Fills a stylesheet with the safe rules of the texts: they load nothing and apply only inside the scope. */
export function fillGuarded(sheet: CSSStyleSheet, texts: readonly string[], scope: string): void {
  const container = insert(sheet, `@scope (${scope}) {}`) as CSSGroupingRule | undefined
  if (!container) return
  for (const text of texts) {
    const read = new CSSStyleSheet()
    read.replaceSync(text)
    copyRules(read.cssRules, container, sheet, scope)
  }
}
