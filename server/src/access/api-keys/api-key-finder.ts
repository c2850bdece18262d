import { timingSafeEqual } from 'node:crypto'
import { companyDay } from '@limber/contract/kit/company.ts'
import { SECOND } from '#platform/clock.ts'
import type { ApiKeyFinder } from '#platform/http/routes.ts'
import { hashToken } from '#platform/security/secrets.ts'
import type { Services } from '#platform/services.ts'
import { describeError } from '#platform/telemetry/log.ts'
import { findPresentedKey } from './api-key.queries.ts'
import { readToken } from './api-key.rules.ts'
import { type CountedUse, saveUse } from './api-key-usage.queries.ts'

const FLUSH_EVERY = 2 * SECOND
const NO_HASH = Buffer.alloc(32)

/** Every hash is compared, so that the time tells nothing about the stored ones. */
function isOneOf(hash: Buffer, hashes: readonly Buffer[]): boolean {
  let isFound = false
  for (const each of hashes) if (timingSafeEqual(hash, each)) isFound = true
  return isFound
}

/** Finds the key of a request, and counts its use in memory: a call must not wait for a row that all calls change. */
export function makeApiKeyFinder({ db, log }: Pick<Services, 'db' | 'log'>): ApiKeyFinder {
  const uses = makeUseCounter((use) => saveUse(db, use), log)
  return {
    async find(token, address, now) {
      const parts = readToken(token)
      if (!parts) return undefined
      const hash = hashToken(parts.secret)
      const row = await findPresentedKey(db, parts.publicId, hash, address, now)
      if (!isOneOf(hash, row?.hashes ?? [NO_HASH]) || !row) return undefined
      return {
        id: row.id,
        publicId: row.public_id,
        name: row.name,
        source: row.source,
        scopes: new Set(row.scopes),
        networks: row.networks,
        requestsPerMinute: row.requests_per_minute,
        expiresAt: row.expires_at,
        isRevoked: row.revoked_at !== null,
        isExpired: row.expires_at !== null && row.expires_at <= now,
        isAllowedHere: row.is_allowed_here,
        isUnused: row.last_used_at === null,
        tries: row.tries ?? 0,
      }
    },
    noteUse: uses.note,
    noteDeprecatedUse: uses.noteDeprecated,
    close: uses.close,
  }
}

type Note = ApiKeyFinder['noteUse']

function makeUseCounter(save: (use: CountedUse) => Promise<unknown>, log: Services['log']) {
  const days = new Map<string, { id: number; day: string; calls: number; errors: number }>()
  const last = new Map<number, { id: number; at: Date; address: string }>()
  const deprecated = new Map<string, { variable: string; day: string; calls: number }>()
  let isFirstUse = false
  let writing: Promise<void> | undefined

  const countDay = (id: number, day: string, calls: number, errors: number) => {
    const name = `${id} ${day}`
    const known = days.get(name) ?? { id, day, calls: 0, errors: 0 }
    days.set(name, { ...known, calls: known.calls + calls, errors: known.errors + errors })
  }
  const countDeprecated = (variable: string, day: string, calls: number) => {
    const name = `${variable} ${day}`
    const known = deprecated.get(name) ?? { variable, day, calls: 0 }
    deprecated.set(name, { ...known, calls: known.calls + calls })
  }

  async function write(): Promise<void> {
    const use = { days: [...days.values()], last: [...last.values()], deprecated: [...deprecated.values()], isFirstUse }
    days.clear()
    last.clear()
    deprecated.clear()
    isFirstUse = false
    try {
      await save(use)
    } catch (error) {
      for (const { id, day, calls, errors } of use.days) countDay(id, day, calls, errors)
      for (const { variable, day, calls } of use.deprecated) countDeprecated(variable, day, calls)
      for (const each of use.last) if (!last.has(each.id)) last.set(each.id, each)
      isFirstUse ||= use.isFirstUse
      log.warn('the use of API keys waits for the database', describeError(error))
    }
  }
  async function flush(): Promise<void> {
    await writing
    if (days.size === 0 && deprecated.size === 0) return
    writing = write().finally(() => {
      writing = undefined
    })
    await writing
  }
  const timer = setInterval(() => void flush(), FLUSH_EVERY)
  timer.unref()

  const note: Note = ({ id, isUnused }, { address, status, at }) => {
    countDay(id, companyDay(at), 1, status >= 400 ? 1 : 0)
    last.set(id, { id, at, address })
    if (!isUnused) return
    // Somebody may be waiting for it on the screen.
    isFirstUse = true
    void flush()
  }
  return {
    note,
    noteDeprecated: (variable: string, at: Date) => countDeprecated(variable, companyDay(at), 1),
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
