/** Where a place lies: the one answer to "which zone?", for every area, and the order of numbers of a box. */
export {
  type Box as ZoneBox,
  findZone,
  type Point,
  parseBox,
  type ZoneArea,
  type ZoneGeometry as ZoneShape,
} from './zone.rules.ts'
