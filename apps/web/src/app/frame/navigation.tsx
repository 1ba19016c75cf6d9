import type { LinkProps } from '@tanstack/react-router'
import { GitPullRequest, Globe, Package, Settings, type LucideIcon } from 'lucide-react'

type Destination = {
  to: LinkProps['to'] & string
  /** Path prefixes, separated by spaces, under which the link counts as current. */
  within: string
  name: string
  key: string
  icon: LucideIcon
}

export const destinations: readonly Destination[] = [
  { to: '/', within: '/ /sites /domains', name: 'Sites', key: 'h', icon: Globe },
  { to: '/exports', within: '/exports', name: 'Exports', key: 'e', icon: Package },
  { to: '/agent-jobs', within: '/agent-jobs /code', name: 'Agent jobs', key: 'a', icon: GitPullRequest },
  { to: '/settings/connections', within: '/settings', name: 'Settings', key: 's', icon: Settings },
]
