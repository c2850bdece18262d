/** Which zone a customer's address lies in is kept with the customer; businesses say so when a zone changes. */
export { findCustomersNear, moveCustomers } from './customer-zone.queries.ts'
