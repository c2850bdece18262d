/** Where a place lies: the one answer to "which zone?", for every area. */
export { findZone, type Point, type ZoneArea } from './zone.rules.ts'
