import { handleErrorGroup, listErrors, listOccurrences, readErrorGroup, reopenErrorGroup } from './errors/error-log.ts'
import { checkHealth, readHealth } from './health/health.ts'
import {
  countIntegrations,
  discardDelivery,
  listIntegrations,
  readDelivery,
  readInbound,
  retryDead,
  retryDelivery,
} from './integrations/integration.ts'

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
