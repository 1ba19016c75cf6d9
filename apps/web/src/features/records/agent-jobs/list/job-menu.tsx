import type { AgentJob } from '@docket/api-types/agent-jobs'
import { useRouter } from '@tanstack/react-router'
import { Archive, CircleCheck, CircleStop, Trash2, FileText, LifeBuoy, Link2, RefreshCw, RotateCw } from 'lucide-react'
import { useDismissJobWithUndo, useJobActions } from '#features/records/agent-jobs/actions/use-job-actions.ts'
import {
  toJobId,
  toJobKey,
  useCheckJob,
  useFollowJobAgain,
  useUnfollowJob,
  buildJobLink,
} from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { formatJobTitle, describeJobState } from '#features/records/agent-jobs/job-state.ts'
import { isolateText } from '#lib/text/format.ts'
import { useReadOnly, useRecordRefusal } from '#ui/connections/connections.tsx'
import { copyForSupport, copyPageLink } from '#ui/copying/copy.ts'
import { toastEnd } from '#ui/live/use-write.ts'
import { Menu, MenuItem, MenuLine } from '#ui/overlays/menu.tsx'
import { removeRowWithUndo } from '#ui/records/row-focus.ts'

const actionIcons = { cancel: <CircleStop />, retry: <RotateCw />, archive: <Archive /> }

const copyJobFacts = (job: AgentJob) =>
  copyForSupport('agent job', {
    project: job.projectId,
    job: job.id,
    'service says': job.status,
    meaning: job.meaning,
    'pull request on': job.prLink?.host ?? null,
    'last check failed': job.checkFailure && `${job.checkFailure.code}, ${job.checkFailure.at}`,
    created: job.createdAt,
    finished: job.finishedAt,
    checked: job.checkedAt,
  })

const JobCommands = ({ job, onPage }: { job: AgentJob; onPage: boolean }) => {
  const router = useRouter()
  const link = buildJobLink(job)
  const check = useCheckJob()
  const unfollow = useUnfollowJob()
  const followAgain = useFollowJobAgain()
  const dismiss = useDismissJobWithUndo()
  const refused = useRecordRefusal(job)
  const unasked = useReadOnly(job) ?? refused
  const key = toJobKey(job)
  const actions = useJobActions(job)
  const title = `“${isolateText(formatJobTitle(job))}”`
  const stop = () =>
    removeRowWithUndo(toJobId(key), {
      remove: () => unfollow.mutateAsync(key),
      message: `Removed ${title} from the list. The job itself continues.`,
      restore: () => followAgain.mutateAsync(key),
      leave: () => void router.navigate({ to: '/agent-jobs', replace: true }),
    })
  const checkNow = () =>
    toastEnd(check.mutateAsync(key), (now) => `Checked ${title} just now: ${describeJobState(now).word}.`)
  return (
    <>
      {!onPage && (
        <MenuItem icon={<FileText />} onSelect={() => void router.navigate(link)}>
          Open
        </MenuItem>
      )}
      <MenuItem icon={<RefreshCw />} refused={unasked} onSelect={checkNow}>
        Check now
      </MenuItem>
      {actions.map(({ name, label, refused: reason, run }) => (
        <MenuItem key={name} icon={actionIcons[name]} refused={reason} onSelect={run}>
          {label}
        </MenuItem>
      ))}
      {job.needsAttention && (
        <MenuItem icon={<CircleCheck />} refused={refused} onSelect={() => dismiss(job)}>
          Dismiss
        </MenuItem>
      )}
      <MenuItem icon={<Link2 />} onSelect={() => void copyPageLink(router.buildLocation(link).href)}>
        Copy page link
      </MenuItem>
      <MenuItem icon={<LifeBuoy />} onSelect={() => void copyJobFacts(job)}>
        Copy for support
      </MenuItem>
      <MenuLine />
      <MenuItem icon={<Trash2 />} danger refused={refused} onSelect={stop}>
        Remove from list
      </MenuItem>
    </>
  )
}

type JobMenuProps = { job: AgentJob; onPage?: boolean; className?: string }

export const JobMenu = ({ job, onPage = false, className = '' }: JobMenuProps) => (
  <Menu label={`More for ${isolateText(formatJobTitle(job))}`} className={className}>
    <JobCommands job={job} onPage={onPage} />
  </Menu>
)
