export { rebuildRollups, rebuildWithin } from './rebuild-rollups.ts'
