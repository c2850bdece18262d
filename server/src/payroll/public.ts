/** Pay of an on-site session that did not take place. */
export { lockPayroll, voidSessionPay } from './void-session-pay.ts'
