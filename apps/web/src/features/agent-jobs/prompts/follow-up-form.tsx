import type { AgentJobKey } from '@docket/api-types/agent-jobs'
import { useState, type SubmitEvent } from 'react'
import { asIntent } from '#lib/intent-draft.ts'
import { Button } from '#ui/button.tsx'
import { Notice } from '#ui/notice.tsx'
import { toast } from '#ui/toast.ts'
import type { useDraft } from '#ui/use-draft.ts'
import { PromptField } from './prompt-field.tsx'
import { useSendMessage } from './prompts.queries.ts'
import { isTaken, problemAt, problemElsewhere, promptProblem } from './send-prompt.ts'

type FollowUpFormProps = { jobKey: AgentJobKey; draft: ReturnType<typeof useDraft<{ prompt: string }>> }

/** Sends a follow-up to a job that has ended. What was typed stays until it is sent, also across a reload. */
export const FollowUpForm = ({ jobKey, draft: { draft, change, clear } }: FollowUpFormProps) => {
  const send = useSendMessage(jobKey)
  const [missing, setMissing] = useState<string | null>(null)
  const [refused, setRefused] = useState<string | null>(null)

  const type = (prompt: string) => {
    change({ prompt })
    setMissing(null)
    setRefused(null)
    send.reset()
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (send.isPending) return
    const problem = promptProblem(draft.prompt)
    if (problem !== null) {
      setMissing(problem)
      return event.currentTarget.querySelector('textarea')?.focus()
    }
    const intent = asIntent(draft)
    change(intent)
    setRefused(null)
    send.mutate(
      { requestId: intent.requestId, prompt: draft.prompt },
      {
        onSuccess: ({ prompt }) => {
          if (!isTaken(prompt)) {
            // What was refused is over: sending it once more is another request.
            change({ requestId: null, sentAs: null })
            return setRefused(prompt.reason)
          }
          clear()
          if (prompt.state === 'accepted') toast(`Sent to ${jobKey.id}.`, { tone: 'done' })
          else toast(`No answer came from ${jobKey.id} yet. The message may have arrived.`, { tone: 'failed' })
        },
      },
    )
  }
  const elsewhere = problemElsewhere(send.error, ['prompt'])

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-3">
      <PromptField
        label="Send follow-up"
        rows={3}
        value={draft.prompt}
        onChange={type}
        error={missing ?? problemAt(send.error, 'prompt')}
        hint="The job becomes active again and works on in the same place."
      />
      {(refused ?? elsewhere) !== null && (
        <Notice tone="failed" role="alert" title="The follow-up was not sent">
          {refused ?? elsewhere}
        </Notice>
      )}
      <div className="flex justify-end">
        <Button type="submit" variant="primary" busy={send.isPending}>
          Send
        </Button>
      </div>
    </form>
  )
}
