import type { Project } from '@docket/api-types/connections'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#ui/buttons/button.tsx'
import { ConnectionMark, useRecordRefusal } from '#ui/connections/connections.tsx'
import { FormFailure } from '#ui/forms/form.tsx'
import { Panel } from '#ui/layout/page.tsx'
import { ProjectDialog } from './project-dialog.tsx'
import { listProjects, projectsQuery } from './projects.queries.ts'

const ProjectRow = ({ project, onEdit }: { project: Project; onEdit: () => void }) => (
  <li className="flex items-center justify-between gap-x-4 py-2.5 text-sm first:pt-0 last:pb-0">
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-x-2">
        <span className="font-medium wrap-anywhere">
          <bdi>{project.name ?? project.projectId}</bdi>
        </span>
        {project.isDefault && <span className="text-xs text-muted">default</span>}
        <ConnectionMark record={project} />
      </p>
      {project.name !== null && (
        <code className="block font-mono text-xs text-muted wrap-anywhere">{project.projectId}</code>
      )}
    </div>
    <Button refused={useRecordRefusal(project)} onClick={onEdit}>
      Edit<span className="sr-only"> {project.name ?? project.projectId}</span>
    </Button>
  </li>
)

export const ProjectsSection = () => {
  const { data, error } = useQuery(projectsQuery)
  const [editing, setEditing] = useState<Project | 'new' | null>(null)
  const items = listProjects(data?.items ?? [], '')
  return (
    <Panel title="Projects" action={<Button onClick={() => setEditing('new')}>Name a project</Button>}>
      {items.length === 0 && !error && (
        <p className="text-sm text-muted">
          Projects appear here with their first agent job. Give them names you recognise.
        </p>
      )}
      <FormFailure error={error} />
      <ul className="divide-y divide-line">
        {items.map((project) => (
          <ProjectRow
            key={`${project.connectionId} ${project.projectId}`}
            project={project}
            onEdit={() => setEditing(project)}
          />
        ))}
      </ul>
      {editing !== null && (
        <ProjectDialog project={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
    </Panel>
  )
}
