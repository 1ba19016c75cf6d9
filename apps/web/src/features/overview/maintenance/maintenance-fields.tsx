import { Checkbox } from '#ui/forms/checkbox.tsx'
import { Choices } from '#ui/forms/choices.tsx'
import { TextArea, TextField } from '#ui/forms/field.tsx'
import type { Action, OrderDraft, OrderProblems } from './order-draft.ts'

const actions: readonly { value: Action; label: string; hint: string }[] = [
  { value: 'fix_links', label: 'Fix links', hint: 'Repair links with one clear target, and report the rest.' },
  { value: 'fix_typos', label: 'Fix typos', hint: 'Correct known misspellings in English text.' },
  { value: 'replace', label: 'Replace', hint: 'Replace a text on many pages.' },
  { value: 'move', label: 'Move', hint: 'Move a page with its links, navigation and a redirect.' },
]

type FieldsProps = {
  draft: OrderDraft
  type: (change: Partial<OrderDraft>) => void
  problems: OrderProblems
  busy: boolean
}

const ReplaceFields = ({ draft, type, problems, busy }: FieldsProps) => (
  <>
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label="Find"
        name="find"
        required
        readOnly={busy}
        value={draft.find}
        onChange={(event) => type({ find: event.target.value })}
        error={problems.find}
      />
      <TextField
        label="Replace with"
        name="replacement"
        readOnly={busy}
        value={draft.replacement}
        onChange={(event) => type({ replacement: event.target.value })}
        error={problems.replacement}
        hint="Leave empty to remove the text."
      />
    </div>
    <div className="flex flex-wrap gap-x-6 gap-y-2">
      <Checkbox
        label="Whole words"
        checked={draft.wholeWords}
        onChange={(wholeWords) => !busy && type({ wholeWords })}
      />
      <Checkbox label="Match case" checked={draft.matchCase} onChange={(matchCase) => !busy && type({ matchCase })} />
      <Checkbox
        label="Also in code"
        hint="And in addresses, tags and front matter."
        checked={draft.includeCode}
        onChange={(includeCode) => !busy && type({ includeCode })}
      />
    </div>
  </>
)

const MoveFields = ({ draft, type, problems, busy }: FieldsProps) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <TextField
      label="Page"
      name="from"
      required
      autoCapitalize="none"
      readOnly={busy}
      value={draft.from}
      onChange={(event) => type({ from: event.target.value })}
      error={problems.from}
      hint="Its path in the project, such as guide/start."
    />
    <TextField
      label="New place"
      name="to"
      required
      autoCapitalize="none"
      readOnly={busy}
      value={draft.to}
      onChange={(event) => type({ to: event.target.value })}
      error={problems.to}
      hint="A path, or a folder that ends with a slash."
    />
  </div>
)

const ScopeFields = ({ draft, type, problems, busy }: FieldsProps) => (
  <>
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label="Folder"
        name="folder"
        optional
        autoCapitalize="none"
        readOnly={busy}
        value={draft.folder}
        onChange={(event) => type({ folder: event.target.value })}
        error={problems.folder}
        hint="Only pages of this folder."
      />
      <TextField
        label="Limit"
        name="limit"
        optional
        inputMode="numeric"
        readOnly={busy}
        value={draft.limit}
        onChange={(event) => type({ limit: event.target.value })}
        error={problems.limit}
        hint="Change at most this many pages."
      />
    </div>
    <TextArea
      label="Pages"
      name="pages"
      optional
      readOnly={busy}
      value={draft.pages}
      onChange={(event) => type({ pages: event.target.value })}
      error={problems.pages}
      hint="Only these pages, one path a line."
    />
  </>
)

export const MaintenanceFields = (props: FieldsProps) => {
  const { draft, type, busy } = props
  return (
    <>
      <Choices
        legend="Action"
        options={actions}
        value={draft.action}
        onChange={(action) => !busy && type({ action })}
      />
      {draft.action === 'replace' && <ReplaceFields {...props} />}
      {draft.action === 'move' ? <MoveFields {...props} /> : <ScopeFields {...props} />}
    </>
  )
}
