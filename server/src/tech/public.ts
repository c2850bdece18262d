export { markHandled } from './errors/error-log.queries.ts'
export { fileFailures } from './errors/file-failures.ts'
