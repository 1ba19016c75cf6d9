import { apiRoutes } from '#ground/http/api-routes.ts'
import type { storeDecider } from '#bundles/store/decide-on-store.ts'
import type { StorageReporter } from './storage-report.ts'

/** `/api/storage`: for people who see everything, because one object may belong to exports of several connections. */
export const storageRoutes = (
  storage: Pick<StorageReporter, 'report'>,
  decideOnStore: ReturnType<typeof storeDecider>,
) =>
  apiRoutes()
    .serve('GET /api/storage', (c) => storage.report(c.req.valid('query')))
    .serve('POST /api/storage/decisions', (c) => decideOnStore(c.req.valid('json'), c.var.actor))
