import { useId } from 'react'
import { errorAt } from '#lib/api-error.ts'
import { Choices } from '#ui/forms/choices.tsx'
import { TextArea } from '#ui/forms/field.tsx'
import type { TokenDraft } from './token-form.ts'

type FormProps = { draft: TokenDraft; change: (changes: Partial<TokenDraft>) => void; error: unknown }

/** Token scope: everything, or some domains and projects. */
export const Restriction = ({ draft, change, error }: FormProps) => {
  const { restricted, domains, projectIds } = draft
  return (
    <>
      <Choices
        legend="It reaches"
        options={[
          { value: 'all', label: 'Everything', hint: 'every domain and project' },
          { value: 'some', label: 'Only some', hint: 'it sees nothing else' },
        ]}
        value={restricted ? 'some' : 'all'}
        onChange={(reach) => change({ restricted: reach === 'some' })}
      />
      {restricted && (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextArea
            label="Domains"
            hint="One a line, each exactly this one. With none it sees no exports."
            value={domains}
            onChange={({ target }) => change({ domains: target.value })}
            error={errorAt(error, 'domains')}
          />
          <TextArea
            label="Projects"
            hint="One id a line. With none it sees no agent jobs."
            value={projectIds}
            onChange={({ target }) => change({ projectIds: target.value })}
            error={errorAt(error, 'projectIds')}
          />
        </div>
      )}
    </>
  )
}

/** Lifetime of the token. */
export const Expiry = ({ draft, change }: Pick<FormProps, 'draft' | 'change'>) => {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        It works for
      </label>
      <select
        id={id}
        value={draft.expiresInDays}
        onChange={({ target }) => change({ expiresInDays: target.value })}
        className="h-9 w-full appearance-auto rounded-md border border-line-strong bg-surface px-2 text-base sm:w-auto"
      >
        <option value="7">7 days</option>
        <option value="30">30 days</option>
        <option value="90">90 days</option>
        <option value="365">a year</option>
        <option value="">until it is revoked</option>
      </select>
    </div>
  )
}
