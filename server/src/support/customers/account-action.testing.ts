/** A typical reason for an account action. */
export const reason = 'asked by phone'

/** The parameters of a call about this customer. */
export const of = (customer: { id: number }) => ({ params: { id: String(customer.id) } })
