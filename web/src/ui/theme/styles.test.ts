import { describe, expect, it } from 'vitest'

const imported = Object.values(
  import.meta.glob<string>('./mantine.css', { query: '?raw', import: 'default', eager: true }),
).join('')
const sources = import.meta.glob<string>('../../**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true })
const sheets = Object.keys(import.meta.glob('/../node_modules/@mantine/core/styles/*.layer.css')).map((path) =>
  path.replace(/^.*\/(\w+)\.layer\.css$/, '$1'),
)
// These use the style sheets of other components.
const drawnBy: Record<string, string[]> = {
  TextInput: ['Input'],
  Textarea: ['Input'],
  NativeSelect: ['Input'],
  Select: ['Input', 'Combobox', 'Popover'],
}

describe("Mantine's style sheets", () => {
  it('are imported for every component in use', () => {
    const used = new Set<string>()
    for (const source of Object.values(sources)) {
      for (const [, names = ''] of source.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)) {
        for (const name of names.split(',')) used.add(name.trim())
      }
    }
    const wanted = [...used].flatMap((name) => drawnBy[name] ?? (sheets.includes(name) ? [name] : []))
    const missing = wanted.filter((name) => !imported.includes(`/${name}.layer.css`))
    expect(sheets.length).toBeGreaterThan(50)
    expect(missing).toEqual([])
  })
})
