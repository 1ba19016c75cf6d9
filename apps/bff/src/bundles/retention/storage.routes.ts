import { apiRoute, apiRoutes } from '#ground/http/api-routes.ts'
import type { storeDecider } from '#bundles/store/decide-on-store.ts'
import type { StorageReporter } from './storage-report.ts'

const report = apiRoute('GET', '/api/storage', {
  summary: 'Stored bundles: what Docket stores, where, and how long',
  answer: 'The store, its size, and a part of its bundles.',
})

const decide = apiRoute('POST', '/api/storage/decisions', {
  summary: 'Decide about bundles in the store that Docket’s database does not know: adopt, leave or remove them',
  answer: 'Docket adopts or removes them in the background.',
})

/** `/api/storage`: for people who see everything, because one object may belong to exports of several connections. */
export const storageRoutes = (
  storage: Pick<StorageReporter, 'report'>,
  decideOnStore: ReturnType<typeof storeDecider>,
) =>
  apiRoutes()
    .serve(report, (c) => storage.report(c.req.valid('query')))
    .serve(decide, (c) => decideOnStore(c.req.valid('json'), c.var.actor))
