import type { ImportColumn, ImportColumns } from '@limber/contract/imports/import.ts'
import type { ImportResource } from '@limber/contract/imports/import-kinds.ts'
import { readyMaps } from '@limber/contract/imports/ready-maps.ts'
import type { Db } from '#platform/db/db.ts'
import type { Storage } from '#platform/storage/storage.ts'
import { readTable } from './file/read-table.ts'
import { findMaps } from './import-maps.queries.ts'
import type { ImportRecord } from './imports.queries.ts'
import { matchByName, matchByValues } from './match-columns.ts'

const SAMPLED_ROWS = 200
const MAX_SAMPLES = 3
const MAX_LENGTH = 60

/** Different values of each column from the first rows; none when the file is gone. */
async function readSamples({ file_key, encoding }: ImportRecord, storage: Storage): Promise<string[][]> {
  const file = file_key === null ? undefined : await storage.get(file_key)
  if (!file) return []
  const seen: Set<string>[] = []
  let rows = 0
  for await (const { cells } of readTable(file, encoding)) {
    if (rows === 0) seen.push(...cells.map(() => new Set<string>()))
    else for (const [place, values] of seen.entries()) values.add((cells[place] ?? '').trim().slice(0, MAX_LENGTH))
    if (++rows > SAMPLED_ROWS) break
  }
  return seen.map((values) => [...values].filter((value) => value !== ''))
}

interface Choice extends Omit<ImportColumns['maps'][number], 'matches'> {
  columns: Readonly<Record<string, string>>
  dates: ImportColumns['dates']
}

/** The ready-made and saved maps for a kind of record. */
async function findChoices(db: Db, resource: ImportResource): Promise<Choice[]> {
  const ready = Object.entries(readyMaps)
    .filter(([, map]) => map.resource === resource)
    .map(([key, { label, columns, dates = null }]) => ({ key, label, columns, dates, saved_by: null, saved_at: null }))
  const saved = (await findMaps(db, [resource])).map((map) => ({
    key: `saved-${map.id}`,
    label: map.name,
    columns: map.columns,
    dates: map.dates,
    saved_by: map.worker_name,
    saved_at: map.created_at.toISOString(),
  }))
  return [...ready, ...saved]
}

/** A map fits by itself when it knows at least this share of its own columns in the file. */
const GOOD_SHARE = 0.6

/**
 * The columns of the file with the fields they probably go to. Takes the map with this key, or the one that fits
 * best; undefined when there is no such map.
 */
export async function describeColumns(
  db: Db,
  storage: Storage,
  row: ImportRecord,
  wanted: string | undefined,
): Promise<ImportColumns | undefined> {
  const samples = await readSamples(row, storage)
  const headers = row.profile.map(({ header }) => header)
  const choices = await findChoices(db, row.resource)
  const matchesOf = ({ columns }: Choice) => headers.filter((header) => Object.hasOwn(columns, header)).length
  const share = (choice: Choice) => matchesOf(choice) / Object.keys(choice.columns).length
  const best = choices.filter((choice) => share(choice) >= GOOD_SHARE).toSorted((a, b) => share(b) - share(a))[0]
  const map = wanted === undefined ? best : choices.find(({ key }) => key === wanted)
  if (wanted !== undefined && wanted !== 'none' && !map) return undefined
  const byName = map ? new Map() : matchByName(row.resource, headers)
  const taken = new Set<string>(map ? Object.values(map.columns) : [...byName.values()].map(({ path }) => path))
  const columns = row.profile.map(({ header, filled, dates }, place): ImportColumn => {
    const values = samples[place] ?? []
    const found = findField(row.resource, header, values, { map, byName, taken })
    return { header, samples: values.slice(0, MAX_SAMPLES), filled: filled / row.row_count, dates, ...found }
  })
  return {
    columns,
    map: map?.key ?? null,
    dates: map?.dates ?? null,
    maps: choices.map(({ columns: _, dates: __, ...choice }, at) => ({
      ...choice,
      matches: matchesOf(choices[at] as Choice),
    })),
  }
}

function findField(
  resource: ImportResource,
  header: string,
  values: readonly string[],
  { map, byName, taken }: { map: Choice | undefined; byName: Map<string, { path: string }>; taken: Set<string> },
): Pick<ImportColumn, 'field' | 'found_by'> {
  const mapped = map?.columns[header]
  if (mapped !== undefined) return { field: mapped, found_by: 'map' }
  const named = byName.get(header)
  if (named) return { field: named.path, found_by: 'header' }
  const guessed = header === '' ? undefined : matchByValues(resource, values, taken)
  if (!guessed) return { field: null, found_by: null }
  taken.add(guessed.path)
  return { field: guessed.path, found_by: 'values' }
}
