/** Who is certified, and with what: the one answer for every area that asks about a person. */
export { certifiedUntil, firstLack, isCertified, isGood, type Lack } from './good.queries.ts'
