import type { LinkProps } from '@tanstack/react-router'
import { Gauge, GitPullRequest, Globe, Grid3x3, Package, Settings, type LucideIcon } from 'lucide-react'

type Destination = {
  to: LinkProps['to'] & string
  /** Path prefix under which the link counts as current; defaults to `to`. */
  within?: string
  name: string
  key: string
  icon: LucideIcon
}

export const destinations: readonly Destination[] = [
  { to: '/', name: 'Overview', key: 'o', icon: Gauge },
  { to: '/exports', name: 'Exports', key: 'e', icon: Package },
  { to: '/sites', name: 'Sites', key: 'i', icon: Globe },
  { to: '/agent-jobs', name: 'Agent jobs', key: 'a', icon: GitPullRequest },
  { to: '/availability', name: 'Availability', key: 'v', icon: Grid3x3 },
  {
    to: '/settings/connection',
    within: '/settings',
    name: 'Settings',
    key: 's',
    icon: Settings,
  },
]
