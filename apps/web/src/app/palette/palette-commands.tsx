import type { AgentJob } from '@docket/api-types/agent-jobs'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import {
  Activity,
  CircleQuestionMark,
  Eye,
  FolderGit2,
  Keyboard,
  Layers,
  LogOut,
  Package,
  Pause,
  Play,
  Plus,
  Settings,
  UserRound,
  Archive,
  CircleStop,
  RotateCw,
  type LucideIcon,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { toggleActivity } from '#app/activity/activity-popover.tsx'
import { destinations } from '#app/frame/navigation.tsx'
import { usePausePolling } from '#app/frame/pause-polling.tsx'
import { useSettingsTabs } from '#app/frame/settings-frame.tsx'
import { exportParts } from '#app/pages/records/export/export-tabs.tsx'
import { themes } from '#app/theme/theme-switch.tsx'
import { chooseTheme } from '#app/theme/theme.ts'
import { signOut } from '#features/people/accounts/sign-out.ts'
import { useJobActions } from '#features/records/agent-jobs/actions/use-job-actions.ts'
import { jobQuery } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { openNewExport } from '#features/records/static-exports/start/new-export.tsx'
import { useLocalService } from '#features/service/connections/connection.queries.ts'
import { openHelp } from '#lib/address/help-address.ts'
import {
  useChooseConnection,
  useChosenConnection,
  useConnections,
  useStartRefusal,
} from '#ui/connections/connections.tsx'
import { matchesText } from './palette-request.ts'

const icons = { cancel: CircleStop, retry: RotateCw, archive: Archive }
const names = { cancel: 'Cancel this job', retry: 'Retry this job', archive: 'Archive this job' }

/** A placeholder without possible actions, because hooks need a job on every page. */
const noJob = { projectId: '', id: '', meaning: 'gone', actions: null } as unknown as AgentJob

const useJobCommands = () => {
  const { projectId = '', jobId = '' } = useParams({ strict: false })
  const { at } = useSearch({ strict: false })
  const { data } = useQuery({
    ...jobQuery({ connectionId: at, projectId, id: jobId }, true),
    enabled: jobId !== '',
    staleTime: Infinity,
  })
  return useJobActions(data ?? noJob).map(({ name, refused, run }) => ({
    name: names[name],
    words: 'agent job stop again',
    icon: icons[name],
    refused,
    run,
  }))
}

export type PaletteCommand = {
  /** The name by default. */
  id?: string
  name: string
  icon: LucideIcon
  keys?: readonly string[]
  words?: string
  refused?: string | null
  /** Shown only to a search, to keep the list short. */
  onlyFound?: boolean
} & (
  | { run: () => unknown; ask?: never }
  /** Resolves to a dialog that takes the place of the palette, or null. */
  | { run?: never; ask: () => ReactNode | Promise<ReactNode> }
)

const usePageCommands = (): PaletteCommand[] => {
  const navigate = useNavigate()
  const tabs = useSettingsTabs()
  const local = useLocalService()
  return [
    ...destinations.map(({ to, name, key, icon }) => ({ name, icon, keys: ['g', key], run: () => navigate({ to }) })),
    ...(local
      ? [
          {
            name: 'Pull requests',
            icon: FolderGit2,
            words: 'code repositories',
            run: () => navigate({ to: '/agent-jobs/pulls' }),
          },
        ]
      : []),
    {
      name: 'Exports with findings',
      icon: Package,
      words: 'broken outside requests hints check',
      onlyFound: true,
      run: () => navigate({ to: '/exports', search: { findings: true } }),
    },
    { name: 'Your account', icon: UserRound, words: 'password settings', run: () => navigate({ to: '/account' }) },
    { name: 'All activity', icon: Activity, words: 'endings', run: () => navigate({ to: '/activity' }) },
    ...tabs.map(({ to, name, hint }) => ({
      name: `Settings: ${name}`,
      icon: Settings,
      words: hint,
      onlyFound: true,
      run: () => navigate({ to }),
    })),
  ]
}

const useExportPartCommands = (): PaletteCommand[] => {
  const navigate = useNavigate()
  const { exportId } = useParams({ strict: false })
  if (exportId === undefined) return []
  const params = { exportId }
  return [
    ...exportParts.map(({ to, name }) => ({
      name: `${name} of this export`,
      icon: Package,
      run: () => navigate({ to, params }),
    })),
    {
      name: 'Preview of this export',
      icon: Eye,
      run: () => navigate({ to: '/exports/$exportId/preview', params, search: { path: '/' } }),
    },
  ]
}

const useConnectionCommands = (): PaletteCommand[] => {
  const choose = useChooseConnection()
  const connections = useConnections() ?? []
  const chosen = useChosenConnection()
  if (connections.length < 2) return []
  const choices = [{ connectionId: '', name: 'all connections' }, ...connections]
  return choices
    .filter(({ connectionId }) => connectionId !== chosen)
    .map(({ connectionId, name }) => ({
      name: `Show ${name}`,
      words: 'switch connection',
      icon: Layers,
      onlyFound: connections.length > 4,
      run: () => choose(connectionId),
    }))
}

const useActionCommands = (onKeys: () => void): PaletteCommand[] => {
  const { paused, toggle } = usePausePolling()
  const refused = useStartRefusal()
  return [
    { name: 'New export', icon: Plus, keys: ['n'], words: 'start an export', refused, run: openNewExport },
    { name: 'Show activity', icon: Activity, keys: ['r'], words: 'running panel', run: toggleActivity },
    paused
      ? { name: 'Resume refreshing', icon: Play, words: 'go on', run: toggle }
      : { name: 'Pause refreshing', icon: Pause, words: 'stop', run: toggle },
    ...themes.map(({ theme, name, icon }) => ({
      name,
      icon,
      onlyFound: theme === 'system',
      run: () => chooseTheme(theme),
    })),
    { name: 'Sign out', icon: LogOut, words: 'log leave', run: signOut },
    { name: 'Help', icon: CircleQuestionMark, words: 'user guide manual documentation', run: openHelp },
    { name: 'Show keyboard shortcuts', icon: Keyboard, keys: ['?'], words: 'keyboard shortcuts help', run: onKeys },
  ]
}

const maxSites = 8

type PaletteCommandsProps = { text: string; sites: readonly PaletteCommand[]; onKeys: () => void }

export const usePaletteCommands = ({ text, sites, onKeys }: PaletteCommandsProps) => {
  const select = ({ name, words = '', onlyFound = false }: PaletteCommand) =>
    text.trim() === '' ? !onlyFound : matchesText(text, [name, words])
  const groups: { heading: string; commands: PaletteCommand[] }[] = [
    { heading: 'Sites', commands: sites.filter(select).slice(0, maxSites) },
    { heading: 'This export', commands: useExportPartCommands().filter(select) },
    { heading: 'This job', commands: useJobCommands().filter(select) },
    { heading: 'Go to', commands: usePageCommands().filter(select) },
    { heading: 'Commands', commands: [...useActionCommands(onKeys), ...useConnectionCommands()].filter(select) },
  ]
  return groups.filter(({ commands }) => commands.length > 0)
}
