export { markHandled } from './errors/error-log.queries.ts'
export { groupFailures } from './errors/group-failures.ts'
