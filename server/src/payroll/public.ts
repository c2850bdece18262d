export { lockPayroll, voidSessionPay } from './entries/void-session-pay.ts'
