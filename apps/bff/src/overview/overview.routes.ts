import { apiRoutes } from '#ground/http/api-routes.ts'
import { everything, narrowScope } from '#ground/http/access/token-scope.ts'
import type { ConditionalGet } from '#ground/http/conditional-get/conditional-get.ts'
import { shareReads } from '#ground/http/conditional-get/coalesce.ts'
import type { RecordName } from '#service/polling/viewers.ts'
import { requirePerson } from '#people/accounts/request-origin.ts'
import { markNewsRead, readAbout } from './about/about.ts'
import { currentActivity, readActivity } from './activity/activity.ts'
import { previewMaintenance } from './maintenance/maintenance.ts'
import type { OverviewCtx } from './overview-ctx.ts'
import { listSiteRows, listViewedExports } from './sites/list-site-rows.ts'
import { readStatus, readStatusWithin } from './status/status.ts'

/** Calls `onView` with the running exports of each poll. */
export const overviewRoutes = (
  ctx: OverviewCtx,
  polled: ConditionalGet,
  onView: (exports: readonly RecordName[]) => void,
) => {
  const { workload } = ctx
  // Shared between callers, because every open page polls this.
  const readWhole = shareReads(() => readStatusWithin(ctx, everything))
  const current = shareReads(() => currentActivity(ctx))
  return apiRoutes()
    .serve('GET /api/about', (_, c) => readAbout(ctx, requirePerson(c)))
    .serve('POST /api/account/read-news', (_, c) => markNewsRead(ctx, requirePerson(c)))
    .serve('GET /api/status', ({ sender }) => readStatus(ctx, sender.identity, readWhole))
    .poll('GET /api/activity', polled, ({ query }) => ({
      current,
      read: async (scope) => ({ value: await readActivity(ctx, narrowScope(scope, query), query.before) }),
    }))
    .poll('GET /api/overview/sites', polled, ({ query, sender }) => ({
      read: async (scope) => {
        const value = await listSiteRows(ctx, query, { scope, sender })
        return { value, onPoll: () => onView(listViewedExports(value)) }
      },
    }))
    .serve('GET /api/workload', async () => ({ unattended: await workload.listUnattended() }))
    .serve('GET /api/workload/processes', async () => ({ processes: await workload.listProcesses() }))
    .serve('POST /api/maintenance/preview', ({ body, by, scope }) => previewMaintenance(ctx, body, by, scope))
}
