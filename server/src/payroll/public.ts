export { bookingPay } from './entries/booking-pay.ts'
export { lockPayroll, voidSessionPay } from './entries/void-session-pay.ts'
