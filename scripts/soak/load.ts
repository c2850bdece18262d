import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { roles, type UserAction } from '../../bench/staff-work.ts'

/** Average pause between two calls of one person. */
const PAUSE = 4_000
const PATIENCE = 60_000
const IMPORT_PAUSE = 60_000
const IMPORT_ROWS = 2_000

export interface Person {
  id: number
  origin: string
  headers: Record<string, string>
}

interface Sample {
  ms: number
  status: number
}

/** What the calls of everyone met. */
export class Tally {
  calls: Sample[] = []
  /** Times of the calls that were answered, by minute of the run. */
  readonly statuses = new Map<number, number>()
  /** Confirmed notes, by the text of the note. */
  readonly notes = new Map<string, number>()
  readonly problems: string[] = []
  imports = 0
  /** Without a primary, calls get 503. At other times they may not. */
  isBroken = false

  add(what: string, status: number, ms: number) {
    this.calls.push({ status, ms })
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    // Some leads of the sample company were merged into others, and take no notes.
    const isFine = (status >= 200 && status < 300) || (status === 409 && what.includes('"code":"merged"'))
    if (!isFine && !(status === 503 && this.isBroken)) this.problem(`${status} ${what}`)
  }

  problem(text: string) {
    this.problems.push(`${new Date().toISOString().slice(11, 19)} ${text}`)
  }
}

/** One call, repeated under one key until it is answered with anything but 503. */
async function call(tally: Tally, { origin, headers }: Person, path: string, body?: unknown): Promise<unknown> {
  const isForm = body instanceof FormData
  const { 'content-type': type, ...others } = headers
  const sent = { ...others, ...(!isForm && type && { 'content-type': type }), 'idempotency-key': randomUUID() }
  for (const end = performance.now() + PATIENCE; ; ) {
    const startedAt = performance.now()
    try {
      const reply = await fetch(origin + path, {
        headers: sent,
        ...(body !== undefined && { method: 'POST', body: isForm ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(40_000),
      })
      const text = await reply.text()
      // A repeated write that is still running: it is asked for again.
      const status = text.includes('still_running') ? 503 : reply.status
      tally.add(`${path} ${status === 200 ? '' : text}`, status, performance.now() - startedAt)
      if (reply.ok) return JSON.parse(text)
      if (status !== 503) return undefined
    } catch (error) {
      tally.problem(`${path} ${error instanceof Error ? (error.cause ?? error) : error}`)
    }
    if (performance.now() > end) return void tally.problem(`${path} was not answered within ${PATIENCE / 1000} s`)
    await sleep(500)
  }
}

/** Who does what, as shares of the staff. */
export function actionsOf(index: number, staff: number): readonly UserAction[] {
  let share = (100 * (index + 0.5)) / staff
  for (const role of roles) {
    if (share < role.share) return role.actions
    share -= role.share
  }
  return roles[0]?.actions ?? []
}

/** One person at work: an action, a pause, the next action. */
export async function work(tally: Tally, person: Person, actions: readonly UserAction[], until: AbortSignal) {
  await sleep(Math.random() * PAUSE)
  while (!until.aborted) {
    const action = actions[Math.floor(Math.random() * actions.length)]
    if (!action) return
    const path = action.path.replace('#', String(1 + Math.floor(Math.random() * (action.records ?? 1))))
    const body = action.body && { ...action.body, ...(action.withWorkerId && { workerId: person.id }) }
    const reply = await call(tally, person, path, body)
    const note = action.body?.content ?? action.body?.note
    if (reply && typeof note === 'string') tally.notes.set(note, (tally.notes.get(note) ?? 0) + 1)
    await sleep(PAUSE * (0.5 + Math.random()))
  }
}

function clientsFile(serial: number): FormData {
  const lines = ['ClientID,FirstName,LastName,Email,MobilePhone']
  for (let n = 1; n <= IMPORT_ROWS; n++)
    lines.push(`${serial}-${n},Ada,Okafor${n},soak-${serial}-${n}@example.com,(951) 556-${String(n).padStart(4, '0')}`)
  const form = new FormData()
  form.append('resource', 'customers')
  form.append('file', new Blob([lines.join('\r\n')]), 'clients.csv')
  return form
}

interface Import {
  id: number
  state: string
  counts: Record<string, number>
  error: unknown
}

/** Imports a file of customers, checks and applies it, and takes it back; again and again. `confirm` uses the passkey. */
export async function importFiles(tally: Tally, person: Person, confirm: () => Promise<unknown>, until: AbortSignal) {
  for (let serial = 1; !until.aborted; serial++) {
    await confirm()
    const uploaded = (await call(tally, person, '/api/imports/upload', clientsFile(serial))) as Import | undefined
    if (!uploaded) return
    const path = `/api/imports/${uploaded.id}`
    const found = (await call(tally, person, `${path}/columns`)) as {
      columns: { header: string; field: string | null }[]
    }
    const columns = Object.fromEntries(found.columns.flatMap(({ header, field }) => (field ? [[header, field]] : [])))
    const steps = [
      ['check', { columns, dates: 'mdy' }, 'checked', 'create'],
      ['apply', {}, 'applied', 'created'],
      ['undo', {}, 'undone', 'undone'],
    ] as const
    for (const [step, body, done, count] of steps) {
      await call(tally, person, `${path}/${step}`, body)
      const end = performance.now() + 5 * PATIENCE
      let now: Import | undefined
      do {
        await sleep(1_000)
        now = (await call(tally, person, path)) as Import | undefined
      } while (now?.state !== done && now?.state !== 'failed' && performance.now() < end)
      if (now?.state !== done || now.counts[count] !== IMPORT_ROWS)
        return tally.problem(`import ${serial}, ${step}: ${JSON.stringify(now)?.slice(0, 500)}`)
    }
    tally.imports += 1
    for (const end = performance.now() + IMPORT_PAUSE; !until.aborted && performance.now() < end; ) await sleep(500)
  }
}
