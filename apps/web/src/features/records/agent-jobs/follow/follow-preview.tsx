import { formatPlural, revealHiddenCharacters } from '#lib/text/format.ts'
import { StateMark } from '#ui/marks/state-mark.tsx'
import type { UnreadableLine } from './job-file.ts'
import type { JobReference } from './parse-job-references.ts'

const listClass = 'max-h-60 space-y-1.5 overflow-y-auto rounded-md border border-line bg-sunken px-3 py-2 text-xs'

type FollowPreviewProps = {
  references: readonly JobReference[]
  /** Project for lines that name none. */
  project: string
  failures: ReadonlyMap<string, string>
}

const UnreadableReference = ({ text, problem }: { text: string; problem: string }) => (
  <>
    <StateMark tone="attention" className="mt-0.5 size-3.5" />
    <span className="min-w-0">
      <code className="font-mono wrap-anywhere">{text.slice(0, 120)}</code>
      <span className="block text-attention">{problem}</span>
    </span>
  </>
)

const JobReferenceText = ({ projectId, id }: { projectId: string; id: string }) => (
  <>
    <span className="text-muted">project</span> <code className="font-mono">{projectId || '…'}</code>{' '}
    <span className="text-muted">job</span> <code className="font-mono">{id}</code>
  </>
)

type LineProps = { reference: JobReference; project: string; failure: string | undefined }

const Line = ({ reference, project, failure }: LineProps) => {
  if (reference.kind === 'unreadable') return <UnreadableReference {...reference} />
  const projectId = reference.kind === 'job' ? (reference.projectId ?? project.trim()) : null
  return (
    <>
      <StateMark tone={failure ? 'failed' : projectId ? 'done' : 'waiting'} className="mt-0.5 size-3.5" />
      <span className="min-w-0 wrap-anywhere">
        {reference.kind === 'job' ? (
          <JobReferenceText projectId={projectId ?? ''} id={reference.id} />
        ) : (
          <>
            <span className="text-muted">job of</span> <code className="font-mono">{reference.pull.address}</code>
          </>
        )}
        {failure && <span className="block text-failed">{failure}</span>}
      </span>
    </>
  )
}

export const UnreadableLines = ({ name, lines }: { name: string; lines: readonly UnreadableLine[] }) => (
  <div role="status" className="mt-3 text-xs">
    <p className="font-medium">
      {formatPlural(lines.length, 'line')} of {revealHiddenCharacters(name)} cannot be read:
    </p>
    <ul aria-label={`Unreadable lines of ${revealHiddenCharacters(name)}`} className={`mt-1 ${listClass}`} tabIndex={0}>
      {lines.map((line) => (
        <li key={line.text} className="flex items-start gap-2">
          <UnreadableReference {...line} />
        </li>
      ))}
    </ul>
  </div>
)

export const FollowPreview = ({ references, project, failures }: FollowPreviewProps) =>
  references.length === 0 ? null : (
    <ul aria-label="Understood as" className={`mt-3 ${listClass}`} tabIndex={0}>
      {references.map((reference) => (
        <li key={JSON.stringify([reference.kind, reference.text])} className="flex items-start gap-2">
          <Line reference={reference} project={project} failure={failures.get(reference.text)} />
        </li>
      ))}
    </ul>
  )
