import type { JobKey } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { Button } from '#ui/buttons/button.tsx'
import { toast } from '#ui/messages/toast.ts'
import type { useDraft } from '#ui/forms/use-draft.ts'
import { PromptField } from './prompt-field.tsx'
import { PromptForm } from './prompt-form.tsx'
import { useSendMessage } from './prompts.queries.ts'
import { usePromptForm } from './use-prompt-form.ts'

type FollowUpFormProps = {
  jobKey: JobKey
  draft: ReturnType<typeof useDraft<{ prompt: string }>>
  /** Its pull request is merged. */
  merged: boolean
}

/** Sends a follow-up to an ended job. The draft survives a reload. */
export const FollowUpForm = ({ jobKey, draft: savedDraft, merged }: FollowUpFormProps) => {
  const message = useSendMessage(jobKey)
  const { draft, type, submit, busy, problems } = usePromptForm({
    draft: savedDraft,
    visible: true,
    send: ({ prompt }, requestId) => message.mutateAsync({ requestId, prompt }),
    onTaken: ({ prompt }) =>
      prompt.state === 'accepted'
        ? toast('Sent the follow-up.', { tone: 'done' })
        : toast(prompt.reason ?? 'The service hasn’t responded yet. The agent may have received the follow-up.', {
            tone: 'failed',
          }),
  })
  return (
    <PromptForm
      onSubmit={submit}
      problems={problems}
      title="The follow-up was not sent"
      actions={
        <Button type="submit" busy={busy} className="self-end">
          Send
        </Button>
      }
    >
      <PromptField
        label="Send follow-up"
        value={draft.prompt}
        onChange={(prompt) => type({ prompt })}
        busy={busy}
        error={problems.prompt}
        hint={
          merged
            ? 'The pull request is merged, so this may open another one.'
            : 'Continues in the same branch and pull request.'
        }
      />
    </PromptForm>
  )
}
