import type { CodeHostPull } from '@docket/api-types/code-host'
import { revealHiddenCharacters } from '#lib/text/format.ts'
import { BackLink, Link } from '#ui/links/link.tsx'

export const BackToCode = ({ projectId }: { projectId?: string }) =>
  projectId === undefined ? (
    <BackLink to="/agent-jobs/pulls">← Pull requests</BackLink>
  ) : (
    <BackLink to="/code/$projectId" params={{ projectId }}>
      ←&nbsp;<bdi className="wrap-anywhere">{projectId}</bdi>
    </BackLink>
  )

export const CommitLink = ({ projectId, hash }: { projectId: string; hash: string }) => (
  <Link
    to="/code/$projectId/commits/$hash"
    params={{ projectId, hash }}
    className="inline-flex min-h-6 items-center font-mono text-xs text-accent hover:underline"
  >
    {hash.slice(0, 10)}
  </Link>
)

export const BranchJob = ({ projectId, job }: { projectId: string; job: NonNullable<CodeHostPull['job']> }) => (
  <Link
    to="/agent-jobs/$projectId/$jobId"
    params={{ projectId, jobId: job.id }}
    search={job.connectionId === null ? {} : { at: job.connectionId }}
    className="text-accent wrap-anywhere underline decoration-1 underline-offset-2 hover:decoration-2"
  >
    <bdi>{revealHiddenCharacters(job.title)}</bdi>
  </Link>
)

export const PlainText = ({ text, label }: { text: string; label: string }) => (
  <section aria-label={label} className="panel mb-6 px-4 py-3">
    <p dir="auto" className="text-sm whitespace-pre-wrap wrap-anywhere">
      {revealHiddenCharacters(text)}
    </p>
  </section>
)
