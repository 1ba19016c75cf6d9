import type { SavedPromptResult } from '@docket/api-types/saved-prompts'
import { jobLink } from '#features/records/agent-jobs/job-link.ts'
import { Link } from '#ui/links/link.tsx'
import { StateLabel, type Tone } from '#ui/marks/state-mark.tsx'

const looks: Record<SavedPromptResult['state'], { tone: Tone; word: string }> = {
  accepted: { tone: 'done', word: 'Job created' },
  sending: { tone: 'live', word: 'Waiting for a response' },
  unknown: { tone: 'attention', word: 'May have been created' },
  refused: { tone: 'failed', word: 'Not created' },
  not_sent: { tone: 'failed', word: 'Not sent' },
}

/** What became of a prompt in each project. */
export const RunResults = ({ results }: { results: readonly SavedPromptResult[] }) => (
  <ul aria-label="Results" className="divide-y divide-line rounded-md border border-line text-sm">
    {results.map(({ projectId, connectionId, jobId, state, reason }) => (
      <li key={projectId} className="px-3 py-2">
        <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          {jobId === null ? (
            <bdi className="min-w-0 font-medium wrap-anywhere">{projectId}</bdi>
          ) : (
            <Link
              {...jobLink({ connectionId: connectionId ?? undefined, projectId, id: jobId })}
              className="inline-flex min-h-6 min-w-0 items-center font-medium wrap-anywhere underline"
            >
              <bdi>{projectId}</bdi>
            </Link>
          )}
          <StateLabel tone={looks[state].tone}>{looks[state].word}</StateLabel>
        </p>
        {reason && (
          <p dir="auto" className="mt-0.5 text-xs text-muted wrap-anywhere">
            {reason}
          </p>
        )}
      </li>
    ))}
  </ul>
)
