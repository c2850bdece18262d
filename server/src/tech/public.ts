export { markHandled } from './error-log.queries.ts'
export { fileFailures } from './file-failures.ts'
