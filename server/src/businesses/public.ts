/** The partnership behind a business: held, moved on with a dated note, and the contacts counted. */
export { insertNote, lockBusiness } from './business/business.queries.ts'
export { PILOT_DAYS, statusOf } from './business/business.rules.ts'
export { countContact, lockAddressed, savePartnership } from './business/partnership.queries.ts'

/** Where a place lies: the one answer to "which zone?", for every area, and the order of numbers of a box. */
export { findZone, parseBox, type ZoneArea } from './zones/zone.rules.ts'
