import { useState } from 'react'
import { TextField } from '#ui/forms/field.tsx'
import { parseDomain, parseOrigin, parseProjectId, parseVariable } from './snippet-choice.ts'
import type { SnippetChoice } from './snippet-scripts.ts'
import { SnippetText } from './snippet-text.tsx'
import type { SnippetPlace, SnippetTask } from './snippets.ts'

type TabsProps<T extends string> = {
  label: string
  value: T
  options: Readonly<Record<T, string>>
  onChange: (value: T) => void
}

const Tabs = <T extends string>({ label, value, options, onChange }: TabsProps<T>) => (
  <fieldset className="flex flex-wrap gap-1">
    <legend className="sr-only">{label}</legend>
    {(Object.entries(options) as [T, string][]).map(([option, name]) => (
      <label
        key={option}
        className="flex h-8 cursor-pointer items-center rounded-md border border-line px-3 text-sm font-medium text-muted has-checked:border-accent has-checked:bg-accent-soft has-checked:text-text has-focus-visible:outline-2"
      >
        <input
          type="radio"
          name={label}
          className="sr-only"
          checked={value === option}
          onChange={() => onChange(option)}
        />
        {name}
      </label>
    ))}
  </fieldset>
)

const tasks: Readonly<Record<SnippetTask, string>> = {
  export: 'Export and download',
  'agent-job': 'Watch an agent job',
}
const places: Readonly<Record<SnippetPlace, string>> = { shell: 'Shell', github: 'GitHub Actions', gitlab: 'GitLab CI' }

/** Initial values of the fields. */
export type SnippetDefaults = Pick<SnippetChoice, 'docket' | 'domain' | 'projectId' | 'delivery'>

/** Scripts for CI. An invalid field keeps its last valid value in the script. */
export const SnippetPage = ({ defaults }: { defaults: SnippetDefaults }) => {
  const [task, setTask] = useState<SnippetTask>('export')
  const [place, setPlace] = useState<SnippetPlace>('shell')
  const [typed, setTyped] = useState({ ...defaults, tokenVariable: 'DOCKET_TOKEN' })
  const [choice, setChoice] = useState<SnippetChoice>(typed)
  const field = (
    name: 'docket' | 'domain' | 'projectId' | 'tokenVariable',
    check: typeof parseDomain,
    refusal: string,
  ) => ({
    value: typed[name],
    error: check(typed[name]) === null ? refusal : null,
    onChange: ({ target: { value } }: { target: { value: string } }) => {
      setTyped({ ...typed, [name]: value })
      const good = check(value)
      if (good !== null) setChoice({ ...choice, [name]: good })
    },
  })
  return (
    <section aria-labelledby="snippets-heading">
      <h2 id="snippets-heading" className="text-base font-semibold">
        Use in CI
      </h2>
      <p className="mt-1 mb-4 max-w-prose text-sm text-muted">
        The scripts need a shell, curl, sed, and a variable with a token that can operate. A retried CI job finds the
        export it started and doesn’t start another.
      </p>
      <div className="mb-4 flex flex-wrap gap-x-6 gap-y-2">
        <Tabs label="Task" value={task} options={tasks} onChange={setTask} />
        <Tabs label="Place" value={place} options={places} onChange={setPlace} />
      </div>
      <div className="mb-4 grid gap-4 sm:grid-cols-3">
        <TextField
          label="Address of Docket"
          {...field('docket', parseOrigin, 'Enter an address, such as https://docket.example.com.')}
        />
        {task === 'export' ? (
          <TextField label="Domain" {...field('domain', parseDomain, 'Enter a domain, such as docs.example.com.')} />
        ) : (
          <TextField label="Project" {...field('projectId', parseProjectId, 'Enter a project ID.')} />
        )}
        <TextField
          label="Token variable"
          {...field(
            'tokenVariable',
            parseVariable,
            'Use capital letters, digits and _. Names that the CI reserves don’t work.',
          )}
        />
      </div>
      <SnippetText choice={choice} task={task} place={place} />
    </section>
  )
}
