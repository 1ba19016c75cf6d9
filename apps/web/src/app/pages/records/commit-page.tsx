import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useRecordTitle } from '#app/titles/page-title.ts'
import { CommitTime } from '#features/records/changes/changes-view.tsx'
import { DiffView } from '#features/records/changes/diff-view.tsx'
import { CodeHostFrame } from '#features/records/code-host/code-host-frame.tsx'
import { BackToCode, CommitLink, PlainText } from '#features/records/code-host/code-host-links.tsx'
import { commitQuery } from '#features/records/code-host/code-host.queries.ts'
import { revealHiddenCharacters } from '#lib/text/format.ts'
import { CopyButton } from '#ui/copying/copy-button.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'

export const CommitPage = () => {
  const { projectId, hash } = useParams({ from: '/inside/code/$projectId/commits/$hash' })
  const query = useQuery(commitQuery(projectId, hash))
  const subject = query.data && (revealHiddenCharacters(query.data.subject) || 'Commit')
  useRecordTitle(subject ?? null)
  return (
    <>
      <BackToCode projectId={projectId} />
      <CodeHostFrame query={query}>
        {(commit) => {
          const body = commit.message.trim().split('\n').slice(1).join('\n').trim()
          return (
            <>
              <PageHeader title={<bdi>{subject}</bdi>}>
                <bdi>{revealHiddenCharacters(commit.author)}</bdi> · <CommitTime commit={commit} /> ·{' '}
                <code className="font-mono text-xs wrap-anywhere">{commit.hash}</code>{' '}
                <CopyButton text={commit.hash} label="Copy the hash" />
                {commit.parents.length > 0 && (
                  <span className="block">
                    {commit.parents.length > 1 ? 'Parents' : 'Parent'}{' '}
                    {commit.parents.map((parent) => (
                      <span key={parent}>
                        <CommitLink projectId={projectId} hash={parent} />{' '}
                      </span>
                    ))}
                  </span>
                )}
              </PageHeader>
              {body !== '' && <PlainText text={body} label="Message" />}
              <DiffView diff={commit.diff} />
            </>
          )
        }}
      </CodeHostFrame>
    </>
  )
}
