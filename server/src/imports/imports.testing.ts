import {
  applyImport,
  checkImport,
  type ImportDetail,
  listImportRows,
  readImport,
  readImportColumns,
  undoImport,
  uploadImport,
} from '@limber/contract/imports/import.ts'
import type { TestCaller, TestServer } from '#platform/testing/testing.ts'
import { type ImportTargets, runImport } from './run/run-import.ts'

/** Uploads a file as a browser does. */
export async function upload(
  caller: TestCaller,
  resource: string,
  content: string | Buffer,
  filename = 'file.csv',
  fields: Record<string, string> = {},
) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ resource, ...fields })) form.append(name, value)
  form.append('file', new Blob([content as unknown as ArrayBuffer]), filename)
  const encoded = new Response(form)
  const rawBody = Buffer.from(await encoded.arrayBuffer())
  const type = encoded.headers.get('content-type') ?? ''
  return caller.send(uploadImport, {}, { rawBody, headers: { 'content-type': type } })
}

/** The steps of an import through its calls; the job runs in this process. */
export function importTesting(server: () => TestServer, caller: () => TestCaller, importTargets: ImportTargets) {
  const paramsOf = (id: number) => ({ params: { id: String(id) } })
  const read = async (id: number) => (await caller().send(readImport, paramsOf(id))).body
  const run = async (id: number): Promise<ImportDetail> => {
    await runImport(server().running.services, importTargets, id)
    return read(id)
  }
  const accepted = <R extends { status: number; text: string }>(reply: R): R => {
    if (reply.status !== 200) throw new Error(reply.text)
    return reply
  }
  /** Uploads a file and checks it with the columns that are guessed. */
  async function check(
    resource: string,
    content: string | Buffer,
    body: { dates?: 'mdy' | 'dmy'; source?: string } = {},
  ) {
    const { id } = accepted(await upload(caller(), resource, content)).body
    const found = accepted(await caller().send(readImportColumns, paramsOf(id))).body
    const columns = Object.fromEntries(found.columns.flatMap(({ header, field }) => (field ? [[header, field]] : [])))
    accepted(await caller().send(checkImport, { ...paramsOf(id), body: { columns, ...body } }))
    return run(id)
  }
  const apply = async (id: number, tell_people = false) => {
    accepted(await caller().send(applyImport, { ...paramsOf(id), body: { tell_people } }))
    return run(id)
  }
  const undo = async (id: number) => {
    accepted(await caller().send(undoImport, paramsOf(id)))
    return run(id)
  }
  const rows = async (id: number, query: object = {}) =>
    accepted(await caller().send(listImportRows, { ...paramsOf(id), query: { limit: '200', ...query } })).body.rows
  return { paramsOf, read, run, check, apply, undo, rows }
}
