import { headings } from '#app/titles/headings.ts'
import { SiteList } from '#features/releases/sites/site-list.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'

const { title, about } = headings['/sites']

export const SitesPage = () => (
  <>
    <PageHeader title={title}>{about}</PageHeader>
    <SiteList />
  </>
)
