import {
  type ColumnMap,
  type ImportField,
  type ImportResource,
  importFields,
} from '@limber/contract/imports/import-fields.ts'
import { UnreadableFile } from './file/decode-file.ts'

/** A column of the file and the field that it goes to. */
export interface MatchedColumn {
  header: string
  place: number
  field: ImportField
}

const bare = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Finds the field of each column, by a map or by the headers. */
export function matchColumns(
  resource: ImportResource,
  headers: readonly string[],
  map: ColumnMap | undefined,
): MatchedColumn[] {
  refuseDuplicates(headers)
  const fields = importFields[resource]
  const matched = map ? matchByMap(headers, fields, map) : matchByName(headers, fields)
  if (matched.length === 0)
    throw new UnreadableFile(
      `No column is known. Name the columns after the fields: ${fields.map(({ path }) => path).join(', ')}.`,
    )
  return matched
}

function refuseDuplicates(headers: readonly string[]) {
  const seen = new Set<string>()
  for (const header of headers) {
    const name = header.trim()
    if (name !== '' && seen.has(name)) throw new UnreadableFile(`Two columns are named ${name}. Rename one of them.`)
    seen.add(name)
  }
}

function matchByMap(headers: readonly string[], fields: readonly ImportField[], { columns }: ColumnMap) {
  const byHeader = new Map(headers.map((header, place) => [header.trim(), place]))
  const takers = new Map<string, string>()
  return Object.entries(columns).flatMap(([header, path]): MatchedColumn[] => {
    const field = fields.find((each) => each.path === path)
    if (!field) throw new UnreadableFile(`The map sends ${header} to ${path}, which is not a field.`)
    const place = byHeader.get(header)
    if (place === undefined) return []
    const other = takers.get(path)
    if (other !== undefined) throw new UnreadableFile(`The columns ${other} and ${header} both go to ${field.label}.`)
    takers.set(path, header)
    return [{ header, place, field }]
  })
}

/** The column with the name of the field comes first, then its other names in their order. */
function matchByName(headers: readonly string[], fields: readonly ImportField[]): MatchedColumn[] {
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
  return fields.flatMap((field) => {
    const place = matched.get(field)
    return place === undefined ? [] : [{ header: headers[place]?.trim() ?? '', place, field }]
  })
}

const exactNames = ({ path, label }: ImportField) => [bare(path), bare(label)]
