import { useSearch } from '@tanstack/react-router'
import { OpenHostedSite } from '#features/releases/hosting/open-hosted-site.tsx'

/** The way of a reader through Docket to a hosted site. */
export const HostedPage = () => {
  const { hostname = '', path = '/' } = useSearch({ from: '/inside/hosted' })
  return <OpenHostedSite hostname={hostname} path={path} />
}
