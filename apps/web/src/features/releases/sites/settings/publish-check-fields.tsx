import type { ReactNode } from 'react'
import { ApiError, toMessageAtField } from '#lib/api/api-error.ts'
import { Button } from '#ui/buttons/button.tsx'
import { bindDraft, TextField, Checkbox } from '#ui/forms/form.tsx'
import { emptyPublishChecks, type PublishChecksDraft } from './channel-draft.ts'

type PublishCheckFieldsProps = {
  publishChecks: PublishChecksDraft
  onChange: (changes: Partial<PublishChecksDraft>) => void
  error: unknown
}

const findCheckError = (error: unknown, field: string) =>
  error instanceof ApiError && error.field === field ? toMessageAtField(error) : null

type ConditionProps = {
  label: string
  hint: string
  checked: boolean
  onChange: (checked: boolean) => void
  children?: ReactNode
}

const ConditionField = ({ children, ...condition }: ConditionProps) => (
  <li className="py-2.5">
    <Checkbox {...condition} />
    {condition.checked && children && <div className="mt-2 ml-6.5 max-w-xs">{children}</div>}
  </li>
)

export const PublishCheckFields = ({ publishChecks, onChange, error }: PublishCheckFieldsProps) => {
  const isDefault = JSON.stringify(publishChecks) === JSON.stringify(emptyPublishChecks)
  const { text, flag } = bindDraft(publishChecks, onChange, (name) => findCheckError(error, `publishChecks.${name}`))
  return (
    <fieldset>
      <legend className="text-sm font-medium">Checks before publishing</legend>
      <p className="mt-0.5 text-xs text-muted">
        A bundle must pass these checks to be published. Docket compares it with what is live at that time.
      </p>
      <ul className="mt-1.5 divide-y divide-line border-y border-line">
        <ConditionField
          label="Check finished"
          hint="A check that was stopped says nothing about a bundle."
          {...flag('finishedCheck')}
        />
        <ConditionField
          label="No new broken links"
          hint="Nothing is broken that isn’t broken for readers now, such as a missing page or a link to nothing."
          {...flag('noNewBreaks')}
        />
        <ConditionField
          label="No new outside requests"
          hint="No page asks another host that readers’ browsers don’t ask now."
          {...flag('noNewLeaks')}
        />
        <ConditionField
          label="Number of pages"
          hint="Missing pages often mean that an export didn’t find them."
          {...flag('limitsPages')}
        >
          <TextField label="Pages that may be missing, in percent" inputMode="decimal" {...text('maxFewerPages')} />
        </ConditionField>
        <ConditionField label="Size" hint="The bundle stays below a size." {...flag('limitsSize')}>
          <TextField
            label="Largest bundle, in MB"
            inputMode="decimal"
            {...text('maxSize')}
            error={findCheckError(error, 'publishChecks.maxBytes')}
          />
        </ConditionField>
        <ConditionField label="Search" hint="A site that has a search keeps one." {...flag('sameSearch')} />
        <ConditionField
          label="Approvals"
          hint="People other than the one who asks approve the bundle first. Another bundle needs approvals of its own."
          {...flag('asksOthers')}
        >
          <TextField label="People who must approve" inputMode="decimal" {...text('approvals')} />
        </ConditionField>
      </ul>
      <Button className="mt-3" disabled={isDefault} onClick={() => onChange(emptyPublishChecks)}>
        Restore defaults
      </Button>
    </fieldset>
  )
}
