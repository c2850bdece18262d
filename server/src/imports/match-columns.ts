import { type ImportField, importFields } from '@limber/contract/imports/import-fields.ts'
import type { ImportResource } from '@limber/contract/imports/import-kinds.ts'
import { UnreadableFile } from './file/decode-file.ts'

/** A column of the file and the field that it goes to. */
export interface MatchedColumn {
  header: string
  place: number
  field: ImportField
}

/** Some files only say yes or no here. */
export const isSinceJoined = ({ path }: ImportField) => path === 'waiver_signed_at' || path === 'email_verified_at'

const bare = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Finds the columns of a map in the file. The text of its error is for the person who made the map. */
export function matchColumns(
  resource: ImportResource,
  headers: readonly string[],
  columns: Readonly<Record<string, string>>,
): MatchedColumn[] {
  const fields = importFields[resource]
  const byHeader = new Map(headers.map((header, place) => [header, place]))
  const takers = new Map<string, string>()
  const matched = Object.entries(columns).flatMap(([header, path]): MatchedColumn[] => {
    const field = fields.find((each) => each.path === path)
    if (!field) throw new UnreadableFile(`The column ${header} goes to ${path}, which is not a field.`)
    const place = byHeader.get(header)
    if (place === undefined) return []
    const other = takers.get(path)
    if (other !== undefined) throw new UnreadableFile(`The columns ${other} and ${header} both go to ${field.label}.`)
    takers.set(path, header)
    return [{ header, place, field }]
  })
  if (matched.length === 0) throw new UnreadableFile('No column of the file goes to a field.')
  return matched
}

/** The column with the name of the field comes first, then its other names in their order. */
export function matchByName(resource: ImportResource, headers: readonly string[]): Map<string, ImportField> {
  const fields = importFields[resource]
  const places = new Map<string, number>()
  for (const [place, header] of headers.entries()) if (!places.has(bare(header))) places.set(bare(header), place)
  const taken = new Set<number>()
  const matched = new Map<ImportField, number>()
  for (const namesOf of [exactNames, (field: ImportField) => field.aliases ?? []])
    for (const field of fields) {
      const place = namesOf(field)
        .map((name) => places.get(name))
        .find((found) => found !== undefined && !taken.has(found))
      if (place === undefined || matched.has(field)) continue
      taken.add(place)
      matched.set(field, place)
    }
  return new Map([...matched].map(([field, place]) => [headers[place] ?? '', field]))
}

/** Zones have other ids in another company, so a column with their names comes before one with ids. */
const exactNames = ({ path, label, kind }: ImportField) =>
  kind === 'zone' ? [bare(label), bare(path)] : [bare(path), bare(label)]

const looksLike: readonly [kind: ImportField['kind'], pattern: RegExp][] = [
  ['email', /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ['phone', /^\+?1?[\s.(-]*\d{3}[\s.)-]*\d{3}[\s.-]*\d{4}$/],
  ['written_phone', /^\+?1?[\s.(-]*\d{3}[\s.)-]*\d{3}[\s.-]*\d{4}$/],
]

/** The first free field whose kind of value most of the samples have. */
export function matchByValues(
  resource: ImportResource,
  samples: readonly string[],
  taken: ReadonlySet<string>,
): ImportField | undefined {
  if (samples.length === 0) return undefined
  const kinds = looksLike.filter(
    ([, pattern]) => samples.filter((sample) => pattern.test(sample)).length >= samples.length * 0.8,
  )
  return importFields[resource].find(({ path, kind }) => !taken.has(path) && kinds.some(([each]) => each === kind))
}
