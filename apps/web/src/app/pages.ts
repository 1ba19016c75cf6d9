import type { RouteComponent } from '@tanstack/react-router'
import { findMovedPage } from './moved-pages.ts'

export const pages = {
  '/': async () => (await import('./pages/overview/home-page.tsx')).HomePage,
  '/exports': async () => (await import('./pages/records/exports-page.tsx')).ExportsPage,
  '/exports/$exportId': async () => (await import('./pages/records/export/export-page.tsx')).ExportPage,
  '/exports/$exportId/': async () =>
    (await import('./pages/records/export/export-overview-page.tsx')).ExportOverviewPage,
  '/exports/$exportId/findings': async () =>
    (await import('./pages/records/export/export-findings-page.tsx')).ExportFindingsPage,
  '/exports/$exportId/changes': async () =>
    (await import('./pages/records/export/export-changes-page.tsx')).ExportChangesPage,
  '/exports/$exportId/changes/page': async () =>
    (await import('./pages/records/export/export-changed-page-page.tsx')).ExportChangedPagePage,
  '/exports/$exportId/contents': async () =>
    (await import('./pages/records/export/export-contents-page.tsx')).ExportContentsPage,
  '/exports/$exportId/history': async () =>
    (await import('./pages/records/export/export-history-page.tsx')).ExportHistoryPage,
  '/exports/$exportId/preview': async () =>
    (await import('./pages/records/export/export-preview-page.tsx')).ExportPreviewPage,
  '/hosted': async () => (await import('./pages/releases/hosted-page.tsx')).HostedPage,
  '/domains/$domain': async () => (await import('./pages/releases/domain-page.tsx')).DomainPage,
  '/sites/$siteId': async () => (await import('./pages/releases/site/site-page.tsx')).SitePage,
  '/sites/$siteId/': async () => (await import('./pages/releases/site/site-exports-page.tsx')).SiteExportsPage,
  '/sites/$siteId/releases': async () =>
    (await import('./pages/releases/site/site-releases-page.tsx')).SiteReleasesPage,
  '/sites/$siteId/delivery': async () =>
    (await import('./pages/releases/site/site-delivery-page.tsx')).SiteDeliveryPage,
  '/sites/$siteId/trends': async () => (await import('./pages/releases/site/site-trends-page.tsx')).SiteTrendsPage,
  '/sites/$siteId/settings': async () =>
    (await import('./pages/releases/site/site-settings-page.tsx')).SiteSettingsPage,
  '/agent-jobs': async () => (await import('./pages/records/agent-jobs-page.tsx')).AgentJobsPage,
  '/agent-jobs/pulls': async () => (await import('./pages/records/pulls-page.tsx')).PullsPage,
  '/agent-jobs/prompts': async () => (await import('./pages/records/saved-prompts-page.tsx')).SavedPromptsPage,
  '/agent-jobs/$projectId/$jobId': async () => (await import('./pages/records/agent-job-page.tsx')).AgentJobPage,
  '/code/$projectId': async () => (await import('./pages/records/code-project-page.tsx')).CodeProjectPage,
  '/code/$projectId/pulls/$number': async () => (await import('./pages/records/pull-page.tsx')).PullPage,
  '/code/$projectId/commits/$hash': async () => (await import('./pages/records/commit-page.tsx')).CommitPage,
  '/activity': async () => (await import('./pages/overview/activity-page.tsx')).ActivityPage,
  '/account': async () => (await import('./pages/people/account-page.tsx')).AccountPage,
  '/settings': async () => (await import('./frame/settings-frame.tsx')).SettingsFrame,
  '/settings/connections': async () => (await import('./pages/service/connections-page.tsx')).ConnectionsPage,
  '/settings/people': async () => (await import('./pages/people/people-page.tsx')).PeoplePage,
  '/settings/tokens': async () => (await import('./pages/people/tokens-page.tsx')).TokensPage,
  '/settings/storage': async () => (await import('#features/bundles/storage/storage-view.tsx')).StorageView,
  '/settings/audit': async () => (await import('./pages/ground/audit-page.tsx')).AuditPage,
  '/settings/about': async () => (await import('./pages/overview/about-page.tsx')).AboutPage,
  '/sign-in': async () => (await import('./pages/people/sign-in-page.tsx')).SignInPage,
  '/setup': async () => (await import('./pages/people/setup-page.tsx')).SetupPage,
  '/link': async () => (await import('./pages/people/link-page.tsx')).LinkPage,
} satisfies Record<string, () => Promise<RouteComponent>>

/** Loads the page of an address in parallel with the app. The router reports failures. */
export const loadPageAt = (pathname: string): void => {
  const shown = findMovedPage(pathname)
  for (const [path, load] of Object.entries(pages))
    if (new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+').replace(/(.)\/$/, '$1')}$`).test(shown))
      load().catch(() => {})
}
