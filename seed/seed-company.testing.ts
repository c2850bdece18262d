import { copyFilled, TEST_NOW } from '@limber/server/platform/testing/testing.ts'
import { seedCompany } from './seed-company.ts'

/** A database with the sample company as of TEST_NOW. It is loaded once and then copied, which is faster. */
export const copySampleCompany = () => copyFilled('story', (url) => seedCompany(url, { now: new Date(TEST_NOW) }))

/** For hooks that may have to load the company first, on a busy machine. */
export const SEED_TIMEOUT = 240_000
