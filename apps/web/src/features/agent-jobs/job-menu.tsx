import type { AgentJob } from '@docket/api-types/agent-jobs'
import { useRouter } from '@tanstack/react-router'
import { CircleCheck, EyeOff, FileText, LifeBuoy, Link2, RefreshCw } from 'lucide-react'
import { copyForSupport } from '#ui/copy-for-support.ts'
import { copyPageLink } from '#ui/copy-page-link.ts'
import { MenuItem, MenuLine } from '#ui/overlays/menu-item.tsx'
import { Menu } from '#ui/overlays/menu.tsx'
import { focusRow, rememberRow } from '#ui/records/row-focus.ts'
import { toast, toastFailure } from '#ui/toast.ts'
import { useReadOnly, useRecordRefusal } from '#ui/connections/use-connections.ts'
import { toJobId, toJobKey, useCheckJob, useFollowAgain, useUnfollow } from './agent-jobs.queries.ts'
import { useDismissWithUndo } from './dismiss-with-undo.ts'
import { jobLink } from './job-link.ts'
import { jobState } from './job-state.ts'

const copyFacts = (job: AgentJob) =>
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

const Commands = ({ job, onPage }: { job: AgentJob; onPage: boolean }) => {
  const router = useRouter()
  const link = jobLink(job)
  const check = useCheckJob()
  const unfollow = useUnfollow()
  const followAgain = useFollowAgain()
  const dismiss = useDismissWithUndo()
  const refused = useRecordRefusal(job)
  const unasked = useReadOnly(job) ?? refused
  const key = toJobKey(job)
  const undo = () => void followAgain.mutateAsync(key).then(() => focusRow(toJobId(key)), toastFailure())
  const stop = () => {
    const focusNext = rememberRow()
    // Before the page would read a record that is gone.
    if (focusNext === null) void router.navigate({ to: '/agent-jobs', replace: true })
    // A promise, because the menu is unmounted when the response arrives.
    void unfollow.mutateAsync(key).then(() => {
      focusNext?.()
      toast(`No longer following ${job.id}. The job itself continues.`, { action: { label: 'Undo', run: undo } })
    }, toastFailure())
  }
  const checkNow = () =>
    void check
      .mutateAsync(key)
      .then((now) => toast(`Checked ${job.id} just now: ${jobState(now).word}.`, { tone: 'done' }), toastFailure())
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
      {job.needsAttention && (
        <MenuItem icon={<CircleCheck />} refused={refused} onSelect={() => dismiss(job)}>
          Dismiss
        </MenuItem>
      )}
      <MenuItem icon={<Link2 />} onSelect={() => void copyPageLink(router.buildLocation(link).href)}>
        Copy page link
      </MenuItem>
      <MenuItem icon={<LifeBuoy />} onSelect={() => void copyFacts(job)}>
        Copy for support
      </MenuItem>
      <MenuLine />
      <MenuItem icon={<EyeOff />} danger refused={refused} onSelect={stop}>
        Stop following
      </MenuItem>
    </>
  )
}

type JobMenuProps = { job: AgentJob; onPage?: boolean; className?: string }

/** Menu of a followed job. */
export const JobMenu = ({ job, onPage = false, className = '' }: JobMenuProps) => (
  <Menu label={`More for ${job.id}`} className={className}>
    <Commands job={job} onPage={onPage} />
  </Menu>
)
