import { accelerationRoutes } from './acceleration/routes.ts'
import { authRoutes } from './accounts/auth-routes.ts'
import { lifecycleRoutes } from './accounts/lifecycle-routes.ts'
import { mfaRoutes } from './accounts/mfa-routes.ts'
import { userRoutes } from './accounts/user-routes.ts'
import { accountRoutes } from './admin/account-routes.ts'
import { administrationRoutes } from './admin/administration-routes.ts'
import { backupRoutes } from './admin/backup-routes.ts'
import { healthRoutes } from './admin/health-routes.ts'
import { planRoutes } from './admin/plan-routes.ts'
import { queueRoutes } from './admin/queue-routes.ts'
import { billingRoutes } from './billing/routes.ts'
import type { Endpoint } from './http/endpoint.ts'
import { keyRoutes } from './keys/routes.ts'
import { memoryRoutes } from './memory/routes.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { liveness, readiness } from './ops/health.ts'
import { organizationRoutes } from './organizations/routes.ts'
import { securityRoutes } from './security/routes.ts'
import { tokenRoutes } from './tokens/routes.ts'
import { usageRoutes } from './usage/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

/** Every operation that the API has: what is routed is what is documented. */
export const routes: readonly Endpoint[] = [
  ...memoryRoutes,
  ...accelerationRoutes,
  ...authRoutes,
  ...mfaRoutes,
  ...userRoutes,
  ...lifecycleRoutes,
  ...securityRoutes,
  ...keyRoutes,
  ...organizationRoutes,
  ...usageRoutes,
  ...administrationRoutes,
  ...planRoutes,
  ...accountRoutes,
  ...queueRoutes,
  ...healthRoutes,
  ...backupRoutes,
  ...billingRoutes,
  ...notificationRoutes,
  ...webhookRoutes,
  ...tokenRoutes,
  liveness,
  readiness,
]
