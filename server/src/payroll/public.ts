export { bookingPay } from './entries/booking-pay.ts'
export { runPayroll } from './entries/pay-sessions.ts'
export { lockPayroll, voidSessionPay } from './entries/void-session-pay.ts'
