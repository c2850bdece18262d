import { codeOf } from '@limber/contract/access/permissions.ts'
import { type ImportResource, importKinds, importResources } from '@limber/contract/imports/import-kinds.ts'
import type { CallDefinition } from '@limber/contract/kit/call.ts'
import type { Db } from '#platform/db/db.ts'
import { refuseBy } from '#platform/http/refusal.ts'
import type { Caller } from '#platform/http/routes.ts'
import { findImport, type ImportRecord, lockImport } from './imports.queries.ts'

const mayImport = ({ permissions }: Caller, resource: ImportResource) =>
  permissions.has(codeOf(importKinds[resource].permission))

/** The kinds of records that a worker may import. */
export const allowedResources = (worker: Caller) => importResources.filter((resource) => mayImport(worker, resource))

/** Refuses what the worker may not import. The pipeline only knows that they may import something. */
export function checkAllowed(call: CallDefinition, worker: Caller, resource: ImportResource) {
  if (!mayImport(worker, resource))
    throw refuseBy(call, 'not_allowed', { values: { what: importKinds[resource].many } })
}

interface Asked {
  db: Db
  worker: Caller
  params: { id: number }
}

async function openAs(call: CallDefinition, worker: Caller, row: ImportRecord | undefined): Promise<ImportRecord> {
  if (!row) throw refuseBy(call, 'not_found')
  checkAllowed(call, worker, row.resource)
  return row
}

/** The import of a call, when the worker may see it. */
export const openImport = async (call: CallDefinition, { db, worker, params }: Asked) =>
  openAs(call, worker, await findImport(db, params.id))

/** The same, locked until the transaction ends. */
export const openForUpdate = async (call: CallDefinition, { db, worker, params }: Asked) =>
  openAs(call, worker, await lockImport(db, params.id))
