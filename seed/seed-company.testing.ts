import { rounds } from '@limber/server/platform/testing/testing.rounds.ts'
import { copyFilled, TEST_NOW } from '@limber/server/platform/testing/testing.ts'
import { seedCompany } from './seed-company.ts'

const now = new Date(TEST_NOW)

/** A database with the sample company as of TEST_NOW. It is loaded once and then copied, which is faster. */
export const copyWholeCompany = () => copyFilled('whole', (url) => seedCompany(url, { now }))

/** The people of the smaller company: a quarter of them, all of them in `npm run test:long`. */
export const PART_SIZE = rounds(750, 3000)

/**
 * The same with a quarter of the people and of their usage, for tests that need every kind of record, not many of each.
 */
export const copySampleCompany = () => copyFilled('sample', (url) => seedCompany(url, { now, partSize: PART_SIZE }))

/** For hooks that may have to load the company first, on a busy machine. */
export const SEED_TIMEOUT = 600_000
