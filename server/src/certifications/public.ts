/** Who is certified, and with what: the one answer for every area that asks about a person. */
export { isCertified, isGood } from './good.queries.ts'
