import { useSearch } from '@tanstack/react-router'
import { OpenHostedSite } from '#features/releases/hosting/open-hosted-site.tsx'

export const HostedPage = () => {
  const { hostname = '', path = '/' } = useSearch({ from: '/inside/hosted' })
  return <OpenHostedSite hostname={hostname} path={path} />
}
