import type { ReactNode } from 'react'
import { FormFailure, Form } from '#ui/forms/form.tsx'
import type { Problems } from './use-prompt-form.ts'

type PromptFormProps = {
  onSubmit: () => Promise<void>
  problems: Problems
  title: string
  children: ReactNode
  actions: ReactNode
}

export const PromptForm = ({ onSubmit, problems, title, children, actions }: PromptFormProps) => {
  const { unanswered } = problems
  const reason = problems.refused ?? unanswered ?? problems.elsewhere
  return (
    <Form onSubmit={() => void onSubmit()} error={problems} className="flex flex-col gap-4">
      {children}
      <FormFailure error={reason ?? null} title={unanswered ? 'No response' : title} />
      {actions}
    </Form>
  )
}
