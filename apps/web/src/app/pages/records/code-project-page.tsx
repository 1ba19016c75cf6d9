import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useRecordTitle } from '#app/titles/page-title.ts'
import { CodeHostFrame } from '#features/records/code-host/code-host-frame.tsx'
import { BackToCode } from '#features/records/code-host/code-host-links.tsx'
import { pullsQuery } from '#features/records/code-host/code-host.queries.ts'
import { FolderPanel } from '#features/records/code-host/folder-panel.tsx'
import { CloneCommand, PullList } from '#features/records/code-host/pull-list.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'

export const CodeProjectPage = () => {
  const { projectId } = useParams({ from: '/inside/code/$projectId' })
  const { state = 'open', before } = useSearch({ from: '/inside/code/$projectId' })
  useRecordTitle(projectId)
  return (
    <>
      <BackToCode />
      <CodeHostFrame query={useQuery(pullsQuery(projectId, { state, before }))}>
        {(data) => (
          <>
            <PageHeader title={<bdi>{projectId}</bdi>}>
              The repository of the project’s folder. Merged changes reach the folder when you update it.
            </PageHeader>
            {data.folder && <FolderPanel projectId={projectId} folder={data.folder} />}
            <CloneCommand clonePath={data.clonePath} />
            <PullList data={data} filter={state} from={before} />
          </>
        )}
      </CodeHostFrame>
    </>
  )
}
