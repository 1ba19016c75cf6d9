import type { KeyboardEvent, ReactNode } from 'react'
import { formatCount } from '#lib/text/format.ts'
import { TextArea } from '#ui/forms/form.tsx'
import { maxPromptLength } from './send-prompt.ts'

type PromptFieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  error: string | null | undefined
  hint?: ReactNode
  busy: boolean
}

/** Number of characters from which the length is shown. */
const countedFrom = 8_000

const submitOnCtrlEnter = (event: KeyboardEvent<HTMLTextAreaElement>) => {
  // While an input method composes a word, Enter accepts the suggestion.
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}

/** Text area for a prompt; shows the length of a long one. Ctrl or Cmd with Enter submits the form. */
export const PromptField = ({ label, value, onChange, error, hint, busy }: PromptFieldProps) => {
  const length = value.trim().length
  const tooLong = length > maxPromptLength
  return (
    <TextArea
      label={label}
      name="prompt"
      prose
      required
      spellCheck
      data-autofocus
      readOnly={busy}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={submitOnCtrlEnter}
      error={
        tooLong ? `This is ${formatCount(length - maxPromptLength)} characters too long. Shorten it first.` : error
      }
      hint={
        <span className="flex flex-wrap justify-between gap-x-4">
          <span>{hint}</span>
          {length >= countedFrom && (
            <span className={`ml-auto tabular-nums ${tooLong ? 'text-failed' : ''}`}>
              {formatCount(length)} of {formatCount(maxPromptLength)} characters
            </span>
          )}
        </span>
      }
    />
  )
}
