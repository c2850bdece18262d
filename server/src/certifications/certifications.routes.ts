import { certificationRoutes } from './certification.routes.ts'
import { certificationTypeRoutes } from './certification-type.routes.ts'
import { verificationRoutes } from './verification.routes.ts'

export const certificationsRoutes = [...certificationTypeRoutes, ...certificationRoutes, ...verificationRoutes]
