import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useRecordTitle } from '#app/titles/page-title.ts'
import { ChangesView } from '#features/records/changes/changes-view.tsx'
import { CodeHostFrame } from '#features/records/code-host/code-host-frame.tsx'
import { BackToCode, BranchJob, CommitLink, PlainText } from '#features/records/code-host/code-host-links.tsx'
import { pullQuery } from '#features/records/code-host/code-host.queries.ts'
import { PullActions } from '#features/records/code-host/pull-actions.tsx'
import { pullState } from '#features/records/code-host/pull-state.ts'
import { revealHiddenCharacters } from '#lib/text/format.ts'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Ago } from '#ui/live/ticking.tsx'
import { StateLabel } from '#ui/marks/state-mark.tsx'

export const PullPage = () => {
  const { projectId, number } = useParams({ from: '/inside/code/$projectId/pulls/$number' })
  const query = useQuery(pullQuery(projectId, number))
  useRecordTitle(query.data ? `${revealHiddenCharacters(query.data.title)} #${number}` : null)
  return (
    <>
      <BackToCode projectId={projectId} />
      <CodeHostFrame query={query}>
        {(pull) => (
          <>
            <PageHeader
              title={
                <>
                  <bdi>{revealHiddenCharacters(pull.title)}</bdi>{' '}
                  <span className="font-normal text-muted">#{pull.number}</span>
                </>
              }
            >
              <StateLabel tone={pullState[pull.state].tone}>{pullState[pull.state].word}</StateLabel> ·{' '}
              <code className="font-mono text-xs wrap-anywhere">{revealHiddenCharacters(pull.branch)}</code> into{' '}
              <code className="font-mono text-xs">main</code> · opened <Ago at={pull.openedAt} />
              {pull.job && (
                <>
                  {' '}
                  by <BranchJob projectId={projectId} job={pull.job} />
                </>
              )}
            </PageHeader>
            <PullActions pull={pull} />
            {pull.body !== '' && <PlainText text={pull.body} label="Description" />}
            <ChangesView
              changes={pull.changes}
              renderHash={(hash) => <CommitLink projectId={projectId} hash={hash} />}
            />
          </>
        )}
      </CodeHostFrame>
    </>
  )
}
