export { zonesQuery } from './business/business.api.ts'
