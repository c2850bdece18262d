/** The single definition of who is certified, for every area. */
export { certifiedUntil, firstLack, isCertified, isGood, type Lack } from './good.queries.ts'
