import { open, readFile } from 'node:fs/promises'
import type { ColumnMap, DateOrder } from '@limber/contract/imports/import-fields.ts'
import { type ImportResource, importResources } from '@limber/contract/imports/import-kinds.ts'
import { readyMaps } from '@limber/contract/imports/ready-maps.ts'
import { Source } from '@limber/contract/kit/batch.ts'
import { BYTE_ORDER_MARK } from '@limber/contract/kit/csv.ts'
import { z } from 'zod'
import { importFromPath, UnreadableFile } from '#imports/public.ts'
import { makeStorage } from '#platform/storage/open-storage.ts'
import { silentLog } from '#platform/telemetry/log.ts'
import { importTargets } from '../app.ts'
import { type Command, print, withInstallation } from './command.ts'

const MapFile = z.strictObject({
  columns: z.record(z.string(), z.string()),
  dates: z.enum(['mdy', 'dmy']).optional(),
})

/** A ready-made map by its name, or one from a file. */
async function readMap(name: string): Promise<ColumnMap> {
  const ready = readyMaps[name]
  if (ready) return ready
  const text = await readFile(name, 'utf8').catch(() => {
    throw new UnreadableFile(`There is no map ${name}. Ready-made maps: ${Object.keys(readyMaps).join(', ')}.`)
  })
  try {
    return MapFile.parse(JSON.parse(text))
  } catch {
    throw new UnreadableFile(`The map ${name} must be JSON such as {"columns": {"Client ID": "external_id"}}.`)
  }
}

const isResource = (name: string | undefined): name is ImportResource => importResources.some((each) => each === name)
const isOrder = (text: unknown): text is DateOrder => text === 'mdy' || text === 'dmy'

const importFile: Command = {
  usage: 'RESOURCE FILE [--map NAME|FILE] [--dates mdy|dmy] [--source NAME] [--dry-run] [--strict] [--rejected FILE]',
  about: `import a CSV file of ${importResources.join(', ')}; --dry-run only counts, --rejected writes the rejected rows to a file`,
  options: {
    map: { type: 'string' },
    dates: { type: 'string' },
    source: { type: 'string' },
    'dry-run': { type: 'boolean' },
    strict: { type: 'boolean' },
    rejected: { type: 'string' },
  },
  async run({ map, dates, source = 'import', strict, rejected, ...values }, [resource, path]) {
    try {
      if (!isResource(resource)) throw new UnreadableFile(`Enter what to import: ${importResources.join(', ')}.`)
      if (path === undefined) throw new UnreadableFile('Enter the path of a CSV file.')
      if (dates !== undefined && !isOrder(dates)) throw new UnreadableFile('--dates: must be mdy or dmy')
      const parsedSource = Source.safeParse(source)
      if (!parsedSource.success) throw new UnreadableFile(`--source: ${parsedSource.error.issues[0]?.message}`)
      const columnMap = typeof map === 'string' ? await readMap(map) : undefined
      await withInstallation(async (installation) => {
        const storage = await makeStorage(installation.config)
        const file = typeof rejected === 'string' ? await open(rejected, 'w') : undefined
        await file?.write(BYTE_ORDER_MARK)
        try {
          const counts = await importFromPath({ ...installation, storage, log: silentLog }, importTargets, {
            resource,
            path,
            map: columnMap,
            dates,
            source: parsedSource.data,
            isDryRun: values['dry-run'] === true,
            onRefused: file && ((line) => file.write(line)),
          })
          print(JSON.stringify(counts))
          if (strict && counts.rejected > 0) process.exitCode = 1
        } finally {
          await file?.close()
        }
      })
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      process.stderr.write(`${error.message}\n`)
      process.exitCode = 2
    }
  },
}

/** Commands about files that come in. */
export const importCommands: Record<string, Command> = { import: importFile }
