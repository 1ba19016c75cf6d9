import { HomePage } from '#app/pages/overview/home-page.tsx'
import { headings } from '#app/titles/headings.ts'
import { useSession } from '#features/people/accounts/session.queries.ts'
import { SiteList } from '#features/releases/sites/site-list.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'

const { title, about } = headings['/']

export const SitesPage = () => (
  <>
    <PageHeader title={title}>{about}</PageHeader>
    {useSession().data?.person?.role === 'none' ? <SiteList /> : <HomePage />}
  </>
)
