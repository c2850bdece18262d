/** Pay of an on-site session that did not take place. */
export { lockPayroll, voidSessionPay } from './entries/void-session-pay.ts'
