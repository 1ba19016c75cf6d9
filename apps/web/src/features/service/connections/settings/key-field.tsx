import type { ConnectionSettings } from '@docket/api-types/connections'
import { SelectField, TextField } from '#ui/forms/field.tsx'
import { Options } from '#ui/forms/options.tsx'
import type { KeyDraft } from './connection-draft.ts'

type KeyFieldProps = {
  label: string
  draft: KeyDraft
  onChange: (draft: KeyDraft) => void
  /** Files that may be chosen; null without a folder for them. */
  files: readonly string[] | null
  /** Source of the present key; null for a new connection. */
  before: ConnectionSettings['key'] | null
  error: string | null
  optional?: boolean
  hint?: string
}

const describeKeyHint = (before: KeyFieldProps['before']) =>
  before && before.from !== 'none' ? 'Leave empty to keep the current key.' : 'Stored encrypted.'

/** A key, typed or as the name of a file. Never shows a stored one. */
export const KeyField = ({ label, draft, onChange, files, before, error, optional = false, hint }: KeyFieldProps) => {
  const isFile = draft.file !== ''
  return (
    <div className="grid content-start gap-2">
      {!isFile && (
        <TextField
          label={label}
          optional={optional}
          type="password"
          autoComplete="new-password"
          value={draft.value}
          onChange={(event) => onChange({ value: event.target.value, file: '' })}
          error={error}
          hint={[hint, describeKeyHint(before)].filter(Boolean).join(' ')}
        />
      )}
      {files !== null && (
        <SelectField
          label={isFile ? label : `${label} from`}
          optional={isFile && optional}
          value={draft.file}
          onChange={(event) => onChange({ value: '', file: event.target.value })}
          error={isFile ? error : null}
        >
          <option value="">Enter here</option>
          <Options
            of={[...new Set([...files, ...(isFile ? [draft.file] : [])])].map((file) => [file, `File ${file}`])}
          />
        </SelectField>
      )}
    </div>
  )
}
