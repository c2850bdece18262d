import type {
  ReferralDecision,
  ReferralEvent,
  ReferrerKind,
  Suspicion,
} from '@limber/contract/growth/referrals/referral.ts'
import { CallFailure } from '#platform/api/call-failure.ts'

export const kindLabels: Record<ReferrerKind, string> = { user: 'User', stretcher: 'Stretcher', worker: 'Worker' }

export const reasonLabels: Record<Suspicion, string> = {
  self_referral: 'Self-referral',
  same_phone: 'Same phone',
  same_address: 'Same address',
  burst: 'Burst',
}

export const decisionLabels: Record<ReferralDecision, string> = { approved: 'Approved', rejected: 'Rejected' }

export const eventLabels: Record<ReferralEvent['kind'], string> = {
  joined: 'Joined',
  booked: 'First booking',
  converted: 'First session',
  paid: 'Paid',
  refunded: 'Refunded',
  rewarded: 'The referrer received a credit',
  approved: 'Approved',
  rejected: 'Rejected',
}

const statusTexts: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

/** 'Error 503: Service Unavailable'. HTTP/2 sends no status text, so the texts are here. */
export function errorText(error: unknown): string {
  if (!(error instanceof CallFailure) || error.status === 0) return 'Error'
  return `Error ${error.status}: ${statusTexts[error.status] ?? 'Failed'}`
}
