import type { ReactNode } from 'react'
import { TextField } from '#ui/forms/form.tsx'
import { maxSuggestions, Suggestions } from '#ui/forms/suggestions.tsx'
import { useProjects } from './projects.queries.ts'

type ProjectFieldProps = {
  value: string
  onChange: (projectId: string) => void
  /** Connection of the form; `''` before one is chosen. */
  connectionId: string
  projectIds: readonly string[]
  readOnly?: boolean
  error?: string | null | undefined
  hint?: ReactNode
}

export const ProjectField = (props: ProjectFieldProps) => {
  const { value, onChange, connectionId, projectIds, readOnly = false, error, hint } = props
  const projects = useProjects(connectionId)
  const names = new Map(projects.flatMap(({ projectId, name }) => (name === null ? [] : [[projectId, name] as const])))
  const known = [...new Set([...projects.map(({ projectId }) => projectId), ...projectIds])].slice(0, maxSuggestions)
  const name = names.get(value.trim())
  return (
    <TextField
      label="Project ID"
      name="projectId"
      required
      autoCapitalize="none"
      data-autofocus={value === '' ? '' : undefined}
      readOnly={readOnly}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={error}
      hint={
        <>
          {name !== undefined && <span className="mb-1 block font-medium text-text">{name}</span>}
          {hint && <span className="mb-1 block">{hint}</span>}
          <Suggestions
            label="Known projects:"
            values={known}
            names={names}
            onPick={(projectId) => !readOnly && onChange(projectId)}
          />
        </>
      }
    />
  )
}
