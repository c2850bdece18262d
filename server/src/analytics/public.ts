export { rebuildRollups, rebuildWithin } from './rollups/rebuild-rollups.ts'
