import { cssLanguage } from '@codemirror/lang-css'

export interface StyleFault {
  from: number
  to: number
  text: string
}

const rules: readonly [pattern: RegExp, text: string][] = [
  [
    /@(import|font-face|namespace|charset|layer|property|container|page|scope)\b[^;{]*/gi,
    'This at-rule is not allowed. Use @media, @supports or @keyframes.',
  ],
  [/\b(url|image-set|src|cross-fade|paint)\s*\(/gi, 'Custom CSS cannot load anything.'],
  [/position\s*:\s*fixed/gi, '"position: fixed" is not allowed.'],
  [/:visited\b/gi, '":visited" is not allowed.'],
  [/(^|[},;\s])(html|body|:root)\b(?=[^{}]*\{)/gi, 'This is outside the course and has no effect.'],
  [/<\/style/gi, 'This is not valid CSS.'],
]

/** Problems in custom CSS with their positions: what will be removed, and syntax errors. */
export function findStyleFaults(source: string): StyleFault[] {
  const faults: StyleFault[] = rules.flatMap(([pattern, text]) =>
    [...source.matchAll(pattern)].map(({ index, 0: found }) => ({ from: index, to: index + found.length, text })),
  )
  cssLanguage.parser.parse(source).iterate({
    enter: (node) => {
      if (!node.type.isError) return
      const to = Math.min(source.length, Math.max(node.to, node.from + 1))
      faults.push({ from: Math.min(node.from, to), to, text: 'This is not valid CSS.' })
    },
  })
  return faults.sort((a, b) => a.from - b.from).slice(0, 50)
}
