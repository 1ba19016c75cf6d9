import type { Project } from '@docket/api-types/connections'
import { useState } from 'react'
import { findErrorAt } from '#lib/api/api-error.ts'
import { isolateText } from '#lib/text/format.ts'
import { ConnectionField, useConnectionChoice } from '#ui/connections/connection-field.tsx'
import { bindDraft, TextField, Checkbox, FormActions, FormFailure, Form } from '#ui/forms/form.tsx'
import { toastDone } from '#ui/messages/toast.ts'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { useSaveProject } from './projects.queries.ts'

/** Project to name; null when the reader types its id. */
export type NamedProject = Omit<Project, 'connectionId'> & { connectionId?: string | undefined }

type ProjectDialogProps = { project: NamedProject | null; onClose: () => void }

const fields = ['connectionId', 'projectId', 'name']

export const ProjectDialog = ({ project, onClose }: ProjectDialogProps) => {
  const [connectionId, setConnection] = useState('')
  const { projectId = '', name = null, isDefault = false } = project ?? {}
  const [draft, setDraft] = useState({ projectId, name: name ?? '', isDefault })
  const { mutate, error, isPending } = useSaveProject()
  const type = (changes: Partial<typeof draft>) => setDraft({ ...draft, ...changes })
  const { text, flag } = bindDraft(draft, type, (field) => findErrorAt(error, field))
  const choice = useConnectionChoice(connectionId)
  const connection = project?.connectionId === undefined ? choice.body : { connectionId: project.connectionId }
  const submit = () => {
    mutate(
      { ...connection, ...draft, name: draft.name || null },
      { onSuccess: toastDone((saved) => `Saved ${isolateText(saved.name ?? saved.projectId)}.`, onClose) },
    )
  }
  return (
    <Dialog
      onClose={onClose}
      title={project === null ? 'Name a project' : `Project ${isolateText(project.name ?? project.projectId)}`}
    >
      <Form onSubmit={submit} busy={isPending} className="grid gap-4">
        {project === null && (
          <>
            <ConnectionField choice={choice} onChange={setConnection} error={findErrorAt(error, 'connectionId')} />
            <TextField
              label="Project ID"
              autoCapitalize="none"
              data-autofocus
              {...text('projectId')}
              hint="From the API keys page of the service."
            />
          </>
        )}
        <TextField label="Name" optional {...text('name')} hint="Shown instead of the ID." />
        <Checkbox label="Default" hint="Preselected in forms." {...flag('isDefault')} />
        <FormFailure error={error} fields={project === null ? fields : ['name']} />
        <FormActions submit="Save" busy={isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
