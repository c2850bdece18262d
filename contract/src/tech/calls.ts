import { handleErrorGroup, listErrors, listOccurrences, readErrorGroup, reopenErrorGroup } from './error-log.ts'
import { checkHealth, readHealth } from './health.ts'
import {
  countIntegrations,
  discardDelivery,
  listIntegrations,
  readDelivery,
  readInbound,
  retryDead,
  retryDelivery,
} from './integration.ts'

export const techCalls = [
  listErrors,
  readErrorGroup,
  listOccurrences,
  handleErrorGroup,
  reopenErrorGroup,
  readHealth,
  checkHealth,
  listIntegrations,
  countIntegrations,
  readDelivery,
  readInbound,
  retryDelivery,
  retryDead,
  discardDelivery,
]
