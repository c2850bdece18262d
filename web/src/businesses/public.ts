export { zonesQuery } from './business.api.ts'
