const DAY = 86_400_000

/** A customer without a sign-in for this many days counts as inactive. */
export const ACTIVE_DAYS = 90

/** A sign-in after this moment makes a customer active. */
export const activeSince = (now: Date) => new Date(now.getTime() - ACTIVE_DAYS * DAY)

export function statusOf(customer: { blocked_at: Date | null; last_login_at: Date | null }, now: Date) {
  if (customer.blocked_at) return 'blocked' as const
  return customer.last_login_at && customer.last_login_at > activeSince(now)
    ? ('active' as const)
    : ('inactive' as const)
}
