import { useState } from 'react'
import { TextField } from '#ui/forms/field.tsx'
import { parseDomain, parseOrigin, parseProjectId, parseVariable } from './snippet-choice.ts'
import type { SnippetChoice } from './snippet-scripts.ts'
import { type SnippetPlace, type SnippetTask, printSnippet, snippetFileName } from './snippets.ts'
import { CopyButton } from '#ui/copying/copy-button.tsx'

const VerificationNote = ({ delivery }: Pick<SnippetChoice, 'delivery'>) =>
  delivery === 'stream' ? (
    <>
      The script compares the SHA-256 of the file with the one that Docket computed while sending it. The service itself
      sends no checksum.
    </>
  ) : (
    <>
      This Docket redirects downloads to the storage, so there is no SHA-256 to compare. The script checks that the
      archive is complete.
    </>
  )

const SnippetText = (props: { choice: SnippetChoice; task: SnippetTask; place: SnippetPlace }) => {
  const { choice, task, place } = props
  const text = printSnippet(choice, task, place)
  const file = snippetFileName(task, place)
  return (
    <>
      <figure className="panel overflow-hidden">
        <figcaption className="flex items-center justify-between gap-4 border-b border-line px-4 py-2 font-mono text-sm">
          <span className="wrap-anywhere">{file}</span>
          <CopyButton text={text} label="Copy the script" />
        </figcaption>
        <pre
          className="max-h-112 overflow-auto px-4 py-3 font-mono text-xs/5"
          tabIndex={0}
          role="region"
          aria-label={file}
        >
          {text}
        </pre>
      </figure>
      {task === 'export' && (
        <p className="mt-3 max-w-prose text-xs text-muted">
          <VerificationNote delivery={choice.delivery} />
        </p>
      )}
    </>
  )
}

type TabsProps<T extends string> = {
  label: string
  value: T
  options: Readonly<Record<T, string>>
  onChange: (value: T) => void
}

const SnippetTabs = <T extends string>({ label, value, options, onChange }: TabsProps<T>) => (
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
        <SnippetTabs label="Task" value={task} options={tasks} onChange={setTask} />
        <SnippetTabs label="Place" value={place} options={places} onChange={setPlace} />
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
