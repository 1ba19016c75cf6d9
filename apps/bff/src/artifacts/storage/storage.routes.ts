import { apiRoute, apiRoutes } from '#http/api-routes.ts'
import type { StorageReporter } from './storage-report.ts'

const report = apiRoute('GET', '/api/storage', {
  summary: 'Stored bundles: what Docket stores, where, and how long',
  answer: 'The store, its size, and a part of its bundles.',
})

/** `/api/storage`: for people who see everything, because one object may belong to exports of several connections. */
export const storageRoutes = (storage: Pick<StorageReporter, 'report'>) =>
  apiRoutes().serve(report, (c) => storage.report(c.req.valid('query')))
