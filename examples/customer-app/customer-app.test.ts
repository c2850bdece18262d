// @module-tag slow
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rounds } from '@limber/server/platform/testing/testing.rounds.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type BothSides, startBothSides } from './both-sides.testing.ts'
import { seededRandom } from './random.ts'
import { State } from './state.ts'

const KILLS = rounds(2, 20)
const SECONDS = rounds(8, 160)
/** About a turn of the app, so that a kill hits any part of it. */
const MAX_DELAY = rounds(800, 2000)

let folder: string
let sides: BothSides
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'limber-app-'))
  sides = await startBothSides(folder)
}, 180_000)
afterEach(async () => {
  await sides.stop()
  await rm(folder, { recursive: true, force: true })
}, 60_000)

// No limit of its own: a loaded machine may take minutes for each start.
it(`is equal to Limber after a day with ${KILLS} kills of either side while staff work`, {
  timeout: 3_600_000,
}, async () => {
  const random = seededRandom('kills')
  const options = ['--seconds', String(SECONDS), '--customers', '60', '--stretchers', '4']
  let kills = 0
  let day = sides.startApp(options)
  let staffWork = Promise.resolve()
  for (let turn = 1; ; turn++) {
    // A turn of the app before each kill, so that it gets on.
    if (!(await day.nextLine())) break
    staffWork = staffWork.then(() => sides.staff.act(turn))
    if (kills === KILLS) continue
    await new Promise((resolve) => setTimeout(resolve, random.between(0, MAX_DELAY)))
    if (kills++ % 2 === 0) {
      await day.kill()
      day = sides.startApp(options)
    } else await sides.restartServer()
  }
  await staffWork
  expect(kills).toBe(KILLS)

  // Once more without kills: what is still on its way arrives, then the books are compared.
  const last = sides.startApp(options)
  expect(await last.output()).toContain('Both sides are equal.')
  const state = new State(folder)
  state.close()
  expect(new Set(state.actedOn).size).toBe(state.actedOn.length)
  expect(state.actedOn.toSorted()).toEqual(await sides.sentWebhooks())
  expect(state.actedOn.length).toBeGreaterThanOrEqual(sides.staff.done())
  expect(state.records.bookings.size).toBeGreaterThan(10)
})
