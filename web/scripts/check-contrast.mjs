// node web/scripts/check-contrast.mjs [--all]: checks the contrast of every text and signal pair in both themes, and that
// color-blind readers can tell series and map bands apart. Prints the failures, or everything.
import { readFileSync } from 'node:fs'

const css = readFileSync(new URL('../src/ui/theme/tokens.css', import.meta.url), 'utf8')
const isAll = process.argv.includes('--all')
const themes = ['light', 'dark']

const tokens = { light: {}, dark: {} }
for (const [, name, value] of css.matchAll(/--([\w-]+):\s*(light-dark\([^;]*\)|#[0-9a-f]{6})\s*;/g)) {
  const pair = value.match(/#[0-9a-f]{6}/g)
  if (!pair) continue
  tokens.light[name] = pair[0]
  tokens.dark[name] = pair[1] ?? pair[0]
}

const channel = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
const channels = (hex) => [1, 3, 5].map((at) => channel(Number.parseInt(hex.slice(at, at + 2), 16) / 255))
const luminance = (hex) => channels(hex).reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0)
const ratio = (a, b) => {
  const [light, dark] = [luminance(a), luminance(b)].sort((p, q) => q - p)
  return (light + 0.05) / (dark + 0.05)
}

const papers = ['bg', 'surface', 'surface-sunken', 'surface-raised', 'hover', 'selected']
const pairs = []
const add = (limit, fronts, backs) => {
  for (const front of fronts) for (const back of backs) pairs.push([front, back, limit])
}
add(4.5, ['text', 'text-2', 'text-3'], [...papers, 'fill'])
add(4.5, ['link', 'accent-text'], papers)
add(4.5, ['accent-text'], ['accent-quiet'])
add(4.5, ['on-accent'], ['accent', 'accent-hover', 'accent-active', 'red-fill', 'red-fill-hover'])
for (const color of ['green', 'amber', 'red', 'blue']) {
  add(4.5, [`${color}-text`], [`${color}-quiet`, ...papers])
  add(3, [color], ['surface', `${color}-quiet`])
}
add(3, ['line-control', 'focus', 'accent-mark'], ['bg', 'surface', 'surface-raised'])
add(3, ['series-1', 'series-2', 'series-3', 'series-4', 'series-prev'], ['surface'])
add(3, ['orange'], ['map-land'])

let failures = 0
const say = (line, isFailure) => {
  if (isFailure) failures += 1
  if (isFailure || isAll) process.stdout.write(`${isFailure ? 'FAIL' : 'ok  '} ${line}\n`)
}
for (const [front, back, limit] of pairs) {
  for (const theme of themes) {
    const [a, b] = [tokens[theme][front], tokens[theme][back]]
    const value = a && b ? ratio(a, b) : 0
    say(`${theme}: ${front} on ${back} ${value.toFixed(2)} (${limit})`, value < limit)
  }
}

// OKLab distance after simulation (Machado 2009, full severity).
const visions = {
  normal: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
}
const DISTANCE = 0.08
const oklab = (hex, m) => {
  const c = channels(hex)
  const [r, g, b] = [0, 3, 6].map((k) => Math.max(0, m[k] * c[0] + m[k + 1] * c[1] + m[k + 2] * c[2]))
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const q = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * q - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * q + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * q - 0.808675766 * s,
  ]
}
const sets = [
  ['series-1', 'series-2', 'series-3', 'series-4'],
  ['band-1', 'band-2', 'band-3', 'orange'],
]
for (const names of sets) {
  for (const theme of themes) {
    for (const [vision, matrix] of Object.entries(visions)) {
      const seen = names.map((name) => oklab(tokens[theme][name], matrix))
      for (const [at, a] of seen.entries()) {
        for (const [more, b] of seen.slice(at + 1).entries()) {
          const apart = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
          say(
            `${theme}, ${vision}: ${names[at]} and ${names[at + 1 + more]} are ${apart.toFixed(3)} apart`,
            apart < DISTANCE,
          )
        }
      }
    }
  }
}
process.stdout.write(`contrast: ${pairs.length * 2} pairs in two themes, ${failures} below their limit\n`)
process.exitCode = failures > 0 ? 1 : 0
