import { Plus } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import { useProjects } from '#features/records/agent-jobs/projects/projects.queries.ts'
import { isolate } from '#lib/text/bidi.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Checkbox } from '#ui/forms/checkbox.tsx'
import { TextField } from '#ui/forms/field.tsx'

type ProjectChoiceProps = {
  connectionId: string
  /** Ids that are known to exist. */
  known: readonly string[]
  value: readonly string[]
  onChange: (projectIds: string[]) => void
  error: string | null
}

export const ProjectChoice = ({ connectionId, known, value, onChange, error }: ProjectChoiceProps) => {
  const [other, setOther] = useState('')
  const projects = useProjects(connectionId)
  const names = new Map(projects.map(({ projectId, name }) => [projectId, name]))
  const offered = [...new Set([...names.keys(), ...known, ...value])]
  const add = () => {
    const projectId = other.trim()
    if (projectId === '') return
    onChange([...new Set([...value, projectId])])
    setOther('')
  }
  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    add()
  }
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-sm font-medium">Projects</legend>
      {offered.length > 0 && (
        <div className="mb-3 grid max-h-48 gap-1.5 overflow-y-auto rounded-md border border-line px-3 py-2 wrap-anywhere">
          {offered.map((projectId) => (
            <Checkbox
              key={projectId}
              label={isolate(names.get(projectId) ?? projectId)}
              {...(names.get(projectId) && { hint: isolate(projectId) })}
              checked={value.includes(projectId)}
              onChange={(checked) =>
                onChange(checked ? [...value, projectId] : value.filter((one) => one !== projectId))
              }
            />
          ))}
        </div>
      )}
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label="Another project ID"
            autoCapitalize="none"
            maxLength={256}
            value={other}
            onChange={({ target }) => setOther(target.value)}
            onKeyDown={addOnEnter}
          />
        </div>
        <Button className="h-9" onClick={add}>
          <Plus className="size-4" aria-hidden="true" />
          Add
        </Button>
      </div>
      {error !== null && (
        <p role="alert" className="mt-1 text-sm text-failed">
          {error}
        </p>
      )}
    </fieldset>
  )
}
