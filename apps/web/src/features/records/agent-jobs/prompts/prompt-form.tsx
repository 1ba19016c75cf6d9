import { useEffect, useRef, type ReactNode, type SubmitEvent } from 'react'
import type { Problems } from './use-prompt-form.ts'
import { FormFailure } from '#ui/forms/form-failure.tsx'

type PromptFormProps = {
  onSubmit: () => Promise<void>
  problems: Problems
  title: string
  children: ReactNode
  actions: ReactNode
}

/** Form that sends a prompt. Moves the focus to the invalid field. */
export const PromptForm = ({ onSubmit, problems, title, children, actions }: PromptFormProps) => {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const atFault = (['connectionId', 'projectId', 'prompt'] as const).find((name) => problems[name]) ?? null
    if (atFault !== null) form.current?.querySelector<HTMLElement>(`[name="${atFault}"]`)?.focus()
  }, [problems])
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    void onSubmit()
  }
  const { unanswered } = problems
  const reason = problems.refused ?? unanswered ?? problems.elsewhere
  return (
    <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
      {children}
      <FormFailure error={reason ?? null} title={unanswered ? 'No response' : title} />
      {actions}
    </form>
  )
}
