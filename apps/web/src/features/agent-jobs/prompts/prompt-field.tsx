import type { KeyboardEvent, ReactNode } from 'react'
import { formatCount } from '#lib/format.ts'
import { TextArea } from '#ui/field.tsx'
import { longestPrompt } from './send-prompt.ts'

type PromptFieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  error: string | null
  hint?: ReactNode
  rows?: number
}

const sendOnEnter = (event: KeyboardEvent<HTMLTextAreaElement>) => {
  // Not while a word is being composed: there Enter takes what is suggested.
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}

/** Where a prompt is written, with its length. Ctrl or Cmd with Enter sends the form. */
export const PromptField = ({ label, value, onChange, error, hint, rows = 5 }: PromptFieldProps) => {
  const length = value.trim().length
  const tooLong = length > longestPrompt
  return (
    <TextArea
      label={label}
      name="prompt"
      prose
      rows={rows}
      required
      spellCheck
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={sendOnEnter}
      error={error ?? (tooLong ? `This is ${formatCount(length - longestPrompt)} characters too long.` : null)}
      hint={
        <span className="flex flex-wrap justify-between gap-x-4">
          <span>{hint}</span>
          <span className={`tabular-nums ${tooLong ? 'text-failed' : ''}`}>
            {formatCount(length)} of {formatCount(longestPrompt)} characters
          </span>
        </span>
      }
    />
  )
}
