import { useState } from 'react'
import { PressedButtons } from '#ui/buttons/pressed-buttons.tsx'
import { CodeFigure } from '#ui/copying/code-figure.tsx'
import { TextField } from '#ui/forms/form.tsx'
import { parseDomain, parseOrigin, parseProjectId, parseVariable } from './snippet-choice.ts'
import type { SnippetChoice } from './snippet-scripts.ts'
import { printSnippet, snippetFileName, type SnippetPlace, type SnippetTask } from './snippets.ts'

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
        <PressedButtons label="Task" value={task} options={tasks} onChange={setTask} />
        <PressedButtons label="Place" value={place} options={places} onChange={setPlace} />
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
      <CodeFigure
        key={`${task} ${place}`}
        file={snippetFileName(task, place)}
        text={printSnippet(choice, task, place)}
        label="Copy the script"
      />
      {task === 'export' && (
        <p className="mt-3 max-w-prose text-xs text-muted">
          <VerificationNote delivery={choice.delivery} />
        </p>
      )}
    </section>
  )
}
