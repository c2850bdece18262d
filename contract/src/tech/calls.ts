import {
  exportErrors,
  exportOccurrences,
  handleErrorGroup,
  listErrors,
  listOccurrences,
  readErrorGroup,
  reopenErrorGroup,
} from './errors/error-log.ts'
import { checkHealth, readHealth } from './health/health.ts'
import {
  countIntegrations,
  discardDelivery,
  exportIntegrations,
  listIntegrations,
  readDelivery,
  readInbound,
  retryDead,
  retryDelivery,
} from './integrations/integration.ts'

export const techCalls = [
  exportErrors,
  listErrors,
  readErrorGroup,
  exportOccurrences,
  listOccurrences,
  handleErrorGroup,
  reopenErrorGroup,
  readHealth,
  checkHealth,
  exportIntegrations,
  listIntegrations,
  countIntegrations,
  readDelivery,
  readInbound,
  retryDelivery,
  retryDead,
  discardDelivery,
]
