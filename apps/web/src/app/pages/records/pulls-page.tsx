import { useQuery } from '@tanstack/react-query'
import { FolderGit2 } from 'lucide-react'
import { CodeHostFrame } from '#features/records/code-host/code-host-frame.tsx'
import { codeProjectsQuery } from '#features/records/code-host/code-host.queries.ts'
import { formatPlural } from '#lib/text/format.ts'
import { EmptyState } from '#ui/layout/page.tsx'
import { Link } from '#ui/links/link.tsx'
import { AgentJobsHeader } from './agent-jobs-header.tsx'

export const PullsPage = () => (
  <CodeHostFrame query={useQuery(codeProjectsQuery)}>
    {({ projects }) => (
      <>
        <AgentJobsHeader>Repositories and pull requests that Docket keeps itself.</AgentJobsHeader>
        {projects.length === 0 ? (
          <EmptyState icon={<FolderGit2 />} title="No repositories here">
            A project that comes from a folder has its repository here. Others stay on their own code host.
          </EmptyState>
        ) : (
          <ul className="panel divide-y divide-line">
            {projects.map(({ projectId, openPulls }) => (
              <li key={projectId} className="flex flex-wrap items-baseline justify-between gap-x-4 px-4 py-2.5 text-sm">
                <Link
                  to="/code/$projectId"
                  params={{ projectId }}
                  className="inline-flex min-h-6 min-w-0 items-center font-medium wrap-anywhere hover:underline"
                >
                  <bdi>{projectId}</bdi>
                </Link>
                <span className="text-muted">
                  {openPulls === null ? 'Not used yet' : formatPlural(openPulls, 'open pull request')}
                </span>
              </li>
            ))}
          </ul>
        )}
      </>
    )}
  </CodeHostFrame>
)
