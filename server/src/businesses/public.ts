/** The partnership of a business: locking, status changes with a dated note, and contact counts. */
export { insertNote, lockBusiness } from './business/business.queries.ts'
export { PILOT_DAYS, statusOf } from './business/business.rules.ts'
export { countContact, lockAddressedPartners, savePartnership } from './business/partnership.queries.ts'
/** Adds a zone, for the command line. */
export { addZone } from './zones/add-zone.ts'
/** The zone lookup for every area, and the coordinate order of a bounding box. */
export { findZoneIds, locatePostalCode } from './zones/locate.ts'
export { findZone, parseBox, type ZoneArea } from './zones/zone.rules.ts'
