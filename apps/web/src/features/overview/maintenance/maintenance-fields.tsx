import { bindDraft } from '#ui/forms/bind-draft.ts'
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

export const MaintenanceFields = (props: MaintenanceFieldsProps) => {
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
