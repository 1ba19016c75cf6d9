import { StateMark } from '#ui/state-mark.tsx'
import type { JobReference } from './parse-job-references.ts'

type FollowPreviewProps = {
  references: readonly JobReference[]
  /** Project of lines that name none. */
  project: string
  /** Reasons of the last attempt, by line. */
  failures: ReadonlyMap<string, string>
}

const Line = ({
  reference,
  project,
  failure,
}: {
  reference: JobReference
  project: string
  failure: string | undefined
}) => {
  if (reference.problem !== null)
    return (
      <>
        <StateMark tone="attention" className="mt-0.5 size-3.5" />
        <span className="min-w-0">
          <code className="font-mono wrap-anywhere">{reference.text.slice(0, 120)}</code>
          <span className="block text-attention">{reference.problem}</span>
        </span>
      </>
    )
  const projectId = reference.projectId ?? project.trim()
  return (
    <>
      <StateMark tone={failure ? 'failed' : projectId ? 'done' : 'waiting'} className="mt-0.5 size-3.5" />
      <span className="min-w-0 wrap-anywhere">
        <span className="text-muted">project</span> <code className="font-mono">{projectId || '…'}</code>{' '}
        <span className="text-muted">job</span> <code className="font-mono">{reference.id}</code>
        {failure && <span className="block text-failed">{failure}</span>}
      </span>
    </>
  )
}

/** Shows how each pasted line was parsed, before anything is sent. */
export const FollowPreview = ({ references, project, failures }: FollowPreviewProps) =>
  references.length === 0 ? null : (
    <ul
      aria-label="Understood as"
      className="mt-3 max-h-60 space-y-1.5 overflow-y-auto rounded-md border border-line bg-sunken px-3 py-2 text-xs"
      tabIndex={0}
    >
      {references.map((reference) => (
        <li key={`${reference.projectId} ${reference.id} ${reference.text}`} className="flex items-start gap-2">
          <Line reference={reference} project={project} failure={failures.get(reference.text)} />
        </li>
      ))}
    </ul>
  )
