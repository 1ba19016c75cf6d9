import type { MaintenancePreview } from '@docket/api-types/maintenance'
import type { ReactNode } from 'react'
import { formatCount } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Choices } from '#ui/forms/choices.tsx'
import { FormFailure, Form, bindDraft, TextArea, TextField, Checkbox } from '#ui/forms/form.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import type { Action, OrderDraft, OrderProblems } from './order-draft.ts'
import { useMaintenanceForm, type MaintenanceProblems, type MaintenanceTarget } from './use-maintenance-form.ts'

const actions: readonly { value: Action; label: string; hint: string }[] = [
  { value: 'fix_links', label: 'Fix links', hint: 'Repair links with one clear target, and report the rest.' },
  { value: 'fix_typos', label: 'Fix typos', hint: 'Correct known misspellings in English text.' },
  { value: 'replace', label: 'Replace', hint: 'Replace a text on many pages.' },
  { value: 'move', label: 'Move', hint: 'Move a page with its links, navigation and a redirect.' },
]

type MaintenanceFieldsProps = {
  draft: OrderDraft
  type: (change: Partial<OrderDraft>) => void
  problems: OrderProblems
  busy: boolean
}

const bindOrder = ({ draft, type, problems, busy }: MaintenanceFieldsProps) => {
  const { text, flag } = bindDraft(
    draft,
    (changes) => !busy && type(changes),
    (name) => problems[name as keyof OrderProblems],
  )
  return { flag, field: (name: Parameters<typeof text>[0]) => ({ name, readOnly: busy, ...text(name) }) }
}

type FieldsProps = ReturnType<typeof bindOrder>

const ReplaceFields = ({ field, flag }: FieldsProps) => (
  <>
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField label="Find" {...field('find')} required />
      <TextField label="Replace with" {...field('replacement')} hint="Leave empty to remove the text." />
    </div>
    <div className="flex flex-wrap gap-x-6 gap-y-2">
      <Checkbox label="Whole words" {...flag('wholeWords')} />
      <Checkbox label="Match case" {...flag('matchCase')} />
      <Checkbox label="Also in code" hint="And in addresses, tags and front matter." {...flag('includeCode')} />
    </div>
  </>
)

const MoveFields = ({ field }: FieldsProps) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <TextField
      label="Page"
      {...field('from')}
      required
      autoCapitalize="none"
      hint="Its path in the project, such as guide/start."
    />
    <TextField
      label="New place"
      {...field('to')}
      required
      autoCapitalize="none"
      hint="A path, or a folder that ends with a slash."
    />
  </div>
)

const ScopeFields = ({ field }: FieldsProps) => (
  <>
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField label="Folder" {...field('folder')} optional autoCapitalize="none" hint="Only pages of this folder." />
      <TextField
        label="Limit"
        {...field('limit')}
        optional
        inputMode="numeric"
        hint="Change at most this many pages."
      />
    </div>
    <TextArea label="Pages" {...field('pages')} optional hint="Only these pages, one path a line." />
  </>
)

const MaintenanceFields = (props: MaintenanceFieldsProps) => {
  const { draft, type, busy } = props
  const fields = bindOrder(props)
  return (
    <>
      <Choices
        legend="Action"
        options={actions}
        value={draft.action}
        onChange={(action) => !busy && type({ action })}
      />
      {draft.action === 'replace' && <ReplaceFields {...fields} />}
      {draft.action === 'move' ? <MoveFields {...fields} /> : <ScopeFields {...fields} />}
    </>
  )
}

const PreviewLines = ({ title, lines, count }: { title: string; lines: readonly string[]; count: number }) =>
  lines.length > 0 && (
    <div className="mt-2">
      <p className="text-xs font-medium text-text">{title}</p>
      <ul
        aria-label={title}
        className="mt-1 max-h-40 overflow-y-auto font-mono text-xs wrap-anywhere"
        // Focusable, so that the keyboard can scroll it.
        tabIndex={lines.length > 6 ? 0 : undefined}
      >
        {lines.map((line, index) => (
          // Lines may repeat, and the list never changes.
          <li key={index}>
            <bdi>{line}</bdi>
          </li>
        ))}
        {count > lines.length && <li className="text-muted">and {formatCount(count - lines.length)} more</li>}
      </ul>
    </div>
  )

const PreviewNotice = ({ preview }: { preview: MaintenancePreview }) => {
  const { summary, files, occurrences, examples, findings, firstFindings, notes } = preview
  return (
    <Notice tone={files === 0 ? 'idle' : 'live'} role="status" title={`Preview: ${summary}`}>
      {files === 0 && <p>The job would change nothing and open no pull request. Its report is on its page.</p>}
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <PreviewLines title="Would change" lines={examples} count={occurrences} />
      <PreviewLines title="Left for a person" lines={firstFindings} count={findings} />
    </Notice>
  )
}

type MaintenanceFormProps = MaintenanceTarget & {
  where: (problems: Pick<MaintenanceProblems, 'projectId' | 'connectionId'>, busy: boolean) => ReactNode
  note: ReactNode
}

export const MaintenanceForm = ({ where, note, ...target }: MaintenanceFormProps) => {
  const { draft, type, problems, preview, previewing, starting, startPreview, start } = useMaintenanceForm(target)
  const busy = previewing || starting
  const { elsewhere, unanswered } = problems
  return (
    <Form
      onSubmit={() => void (preview === null ? startPreview() : start())}
      error={problems}
      className="flex flex-col gap-4"
    >
      {where(problems, busy)}
      <MaintenanceFields draft={draft} type={type} problems={problems} busy={busy} />
      {preview && <PreviewNotice preview={preview} />}
      <FormFailure error={elsewhere ?? null} title={unanswered ? 'No response' : 'Nothing was started'} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0 flex-1 basis-56 space-y-1">{note}</div>
        <Button
          type={preview === null ? 'submit' : 'button'}
          variant={preview === null ? 'primary' : 'secondary'}
          size="md"
          busy={previewing}
          onClick={preview === null ? undefined : () => void startPreview()}
        >
          Preview
        </Button>
        <Button
          type={preview === null ? 'button' : 'submit'}
          variant={preview === null ? 'secondary' : 'primary'}
          size="md"
          busy={starting}
          refused={preview === null ? 'Preview it first.' : null}
        >
          Start job
        </Button>
      </div>
    </Form>
  )
}
