const SINK = 'https://sink.example'
const fetches = [
  'background',
  'background-image',
  'list-style-image',
  'border-image-source',
  'cursor',
  'mask-image',
  'content',
  'filter',
  'clip-path',
  'shape-outside',
]
const spellings = (address: string) => [
  `url(${address})`,
  `url("${address}")`,
  `\\75rl(${address})`,
  `u\\72 l('${address}')`,
]

const loads = fetches.flatMap((property) =>
  spellings(`${SINK}/${property}.png`)
    .slice(0, 3)
    .map((value) => `.markup { ${property}: ${value} }`),
)

/** None of these may fetch anything or change anything outside of the course. */
export const cssPayloads: readonly string[] = [
  ...loads,
  `@import '${SINK}/x.css';`,
  `@import url(${SINK}/x.css) screen;`,
  `@\\69mport '${SINK}/x.css';`,
  `@font-face { font-family: x; src: url(${SINK}/x.woff2) } .markup { font-family: x }`,
  `@namespace svg url(${SINK}/x);`,
  `.markup { background: image-set("${SINK}/x.png" 1x) }`,
  `.markup { background: -webkit-image-set(url(${SINK}/x.png) 1x) }`,
  `.markup { --x: url(${SINK}/x.png); background: var(--x) }`,
  `.markup { --x: \\75rl(${SINK}/x.png); background-image: var(--x) }`,
  `.markup::before { content: url(${SINK}/x.png) }`,
  '} .outside { display: none !important } .x {',
  '}} .outside { display: none !important }',
  '*/ .outside { display: none !important } /*',
  '.outside { display: none !important }',
  'body { display: none !important }',
  'html { display: none !important }',
  ':root { --primary: red; display: none !important }',
  '* { display: none !important }',
  'body > * { display: none !important }',
  ':is(body, html) { display: none !important }',
  ':not(x) { display: none !important }',
  '.course-content + .outside { display: none !important }',
  '.course-content ~ * { display: none !important }',
  '@media all { .outside { display: none !important } }',
  '@supports (display: block) { body { display: none !important } }',
  '@layer x { .outside { display: none !important } }',
  '@scope (body) { .outside { display: none !important } }',
  '@media all { } } .outside { display: none !important } {',
  '.markup { position: fixed; inset: 0 }',
  '.markup { positio\\6e: fixed; inset: 0 }',
  '.markup { position: f\\69xed; inset: 0 }',
  '.markup { --p: fixed; position: var(--p); inset: 0 }',
  '</style><script>top.ran()</script>',
  '.markup { behavior: url(#x); -moz-binding: url(#x) }',
  '.markup { width: expression(top.ran()) }',
  'a:visited { color: red }',
  '@property --x { syntax: "<color>"; inherits: true; initial-value: red }',
  '@page { size: 1px }',
]
