// node web/scripts/check-contrast.mjs: reads the tokens, prints every text and signal pair in both themes, fails below its limit.
import { readFileSync } from 'node:fs'

const css = readFileSync(new URL('../src/ui/tokens.css', import.meta.url), 'utf8')
const tokens = { light: {}, dark: {} }
for (const [, name, value] of css.matchAll(/--([\w-]+):\s*(light-dark\([^;]*\)|#[0-9a-f]{6})\s*;/g)) {
  const pair = value.match(/#[0-9a-f]{6}/g)
  if (!pair) continue
  tokens.light[name] = pair[0]
  tokens.dark[name] = pair[1] ?? pair[0]
}
const channel = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
const lum = (hex) =>
  [1, 3, 5]
    .map((i) => channel(parseInt(hex.slice(i, i + 2), 16) / 255))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0)
const ratio = (a, b) => {
  const [x, y] = [lum(a), lum(b)].sort((p, q) => q - p)
  return (x + 0.05) / (y + 0.05)
}

const surfaces = ['bg', 'surface', 'surface-sunken', 'surface-raised', 'hover', 'selected', 'fill']
const pairs = []
for (const text of ['text', 'text-2', 'text-3']) for (const s of surfaces) pairs.push([text, s, 4.5])
for (const s of ['bg', 'surface', 'surface-sunken', 'surface-raised', 'hover', 'selected'])
  pairs.push(['link', s, 4.5], ['accent-text', s, 4.5])
pairs.push(
  ['accent-text', 'accent-quiet', 4.5],
  ['on-accent', 'accent', 4.5],
  ['on-accent', 'accent-hover', 4.5],
  ['on-accent', 'accent-active', 4.5],
  ['on-accent', 'red-fill', 4.5],
  ['on-accent', 'red-fill-hover', 4.5],
)
for (const c of ['green', 'amber', 'red', 'blue']) {
  pairs.push([`${c}-text`, `${c}-quiet`, 4.5])
  for (const s of ['bg', 'surface', 'surface-sunken', 'surface-raised', 'hover', 'selected'])
    pairs.push([`${c}-text`, s, 4.5])
  pairs.push([c, 'surface', 3], [c, `${c}-quiet`, 3])
}
for (const s of ['bg', 'surface', 'surface-raised'])
  pairs.push(['line-control', s, 3], ['focus', s, 3], ['accent-mark', s, 3])
for (const n of ['series-1', 'series-2', 'series-3', 'series-4', 'series-prev']) pairs.push([n, 'surface', 3])
pairs.push(['orange', 'map-land', 3])

let failed = 0
console.log('| Foreground | Background | Limit | Light | Dark |\n|---|---|---|---|---|')
for (const [f, b, min] of pairs) {
  const cell = ['light', 'dark'].map((t) => {
    const r = ratio(tokens[t][f], tokens[t][b])
    if (r < min) failed++
    return `${r.toFixed(2)}${r < min ? ' FAIL' : ''}`
  })
  console.log(`| ${f} | ${b} | ${min} | ${cell.join(' | ')} |`)
}

// Series and map bands must stay apart for colour-blind readers: OKLab distance after simulation (Machado 2009, full severity).
const sim = {
  normal: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
}
const oklab = (hex, m) => {
  const c = [1, 3, 5].map((i) => channel(parseInt(hex.slice(i, i + 2), 16) / 255))
  const [r, g, b] = [0, 3, 6].map((k) => Math.max(0, m[k] * c[0] + m[k + 1] * c[1] + m[k + 2] * c[2]))
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b),
    q = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b),
    s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * q - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * q + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * q - 0.808675766 * s,
  ]
}
console.log('\n| Set | Theme | Vision | Smallest distance (limit 0.08) |\n|---|---|---|---|')
for (const [set, names] of [
  ['series', ['series-1', 'series-2', 'series-3', 'series-4']],
  ['bands', ['band-1', 'band-2', 'band-3', 'orange']],
])
  for (const t of ['light', 'dark'])
    for (const v in sim) {
      let min = 9,
        who = ''
      names.forEach((a, i) =>
        names.slice(i + 1).forEach((b) => {
          const x = oklab(tokens[t][a], sim[v]),
            y = oklab(tokens[t][b], sim[v])
          const d = Math.hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2])
          if (d < min) {
            min = d
            who = `${a}, ${b}`
          }
        }),
      )
      if (min < 0.08) failed++
      console.log(`| ${set} | ${t} | ${v} | ${min.toFixed(3)} (${who})${min < 0.08 ? ' FAIL' : ''} |`)
    }
console.log(`\n${pairs.length * 2} pairs, ${failed} below their limit.`)
process.exitCode = failed ? 1 : 0
