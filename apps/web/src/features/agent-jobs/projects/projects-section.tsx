import type { Project } from '@docket/api-types/connections'
import { useQuery } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { errorAt } from '#lib/api-error.ts'
import { Button } from '#ui/button.tsx'
import { ConnectionField, useConnectionChoice } from '#ui/connections/connection-field.tsx'
import { ConnectionMark } from '#ui/connections/connection-mark.tsx'
import { Checkbox } from '#ui/forms/checkbox.tsx'
import { TextField } from '#ui/forms/field.tsx'
import { FormFailure } from '#ui/forms/form-failure.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { Panel } from '#ui/panel.tsx'
import { toast } from '#ui/toast.ts'
import { listProjects, projectsQuery, useSaveProject } from './projects.queries.ts'

const fields = ['connectionId', 'projectId', 'name', 'isDefault']

const ProjectForm = ({ project, onDone }: { project: Project | null; onDone: () => void }) => {
  const [connectionId, setConnection] = useState('')
  const [projectId, setProjectId] = useState(project?.projectId ?? '')
  const [name, setName] = useState(project?.name ?? '')
  const [isDefault, setDefault] = useState(project?.isDefault ?? false)
  const { mutate, error, isPending } = useSaveProject()
  const choice = useConnectionChoice(connectionId)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isPending) return
    mutate(
      { ...(project ? { connectionId: project.connectionId } : choice.body), projectId, name: name || null, isDefault },
      {
        onSuccess: (saved) => {
          toast(`Saved ${saved.name ?? saved.projectId}.`, { tone: 'done' })
          onDone()
        },
      },
    )
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      {project === null && (
        <>
          <ConnectionField choice={choice} onChange={setConnection} error={errorAt(error, 'connectionId')} />
          <TextField
            label="Project id"
            autoCapitalize="none"
            data-autofocus
            value={projectId}
            onChange={(event) => setProjectId(event.target.value)}
            error={errorAt(error, 'projectId')}
            hint="From the API keys page of the service."
          />
        </>
      )}
      <TextField
        label="Name"
        optional
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={errorAt(error, 'name')}
        hint="Shown instead of the id."
      />
      <Checkbox checked={isDefault} onChange={setDefault} label="Default" hint="Forms begin with it." />
      <FormFailure error={error} fields={fields} />
      <Button type="submit" variant="primary" busy={isPending} className="justify-self-end">
        Save
      </Button>
    </form>
  )
}

const Row = ({ project, onEdit }: { project: Project; onEdit: () => void }) => (
  <li className="flex items-center justify-between gap-x-4 py-2.5 text-sm first:pt-0 last:pb-0">
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-x-2">
        <span className="font-medium wrap-anywhere">{project.name ?? project.projectId}</span>
        {project.isDefault && <span className="text-xs text-muted">default</span>}
        <ConnectionMark record={project} />
      </p>
      {project.name !== null && (
        <code className="block font-mono text-xs text-muted wrap-anywhere">{project.projectId}</code>
      )}
    </div>
    <Button onClick={onEdit}>
      Edit<span className="sr-only"> {project.name ?? project.projectId}</span>
    </Button>
  </li>
)

/** Projects with their names, and the default one of each connection. */
export const ProjectsSection = () => {
  const { data, error } = useQuery(projectsQuery)
  const [editing, setEditing] = useState<Project | 'new' | null>(null)
  const items = listProjects(data?.items ?? [], '')
  return (
    <Panel title="Projects" action={<Button onClick={() => setEditing('new')}>Name a project</Button>}>
      {items.length === 0 && !error && (
        <p className="text-sm text-muted">
          Projects appear here with their first agent job. A name is easier to recognise than an id.
        </p>
      )}
      <FormFailure error={error} />
      <ul className="divide-y divide-line">
        {items.map((project) => (
          <Row
            key={`${project.connectionId} ${project.projectId}`}
            project={project}
            onEdit={() => setEditing(project)}
          />
        ))}
      </ul>
      {editing !== null && (
        <Dialog
          open
          onClose={() => setEditing(null)}
          title={editing === 'new' ? 'Name a project' : `Project ${editing.name ?? editing.projectId}`}
        >
          <ProjectForm project={editing === 'new' ? null : editing} onDone={() => setEditing(null)} />
        </Dialog>
      )}
    </Panel>
  )
}
