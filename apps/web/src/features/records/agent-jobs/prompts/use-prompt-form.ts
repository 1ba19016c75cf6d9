import type { SentAgentPrompt } from '@docket/api-types/agent-prompts'
import { useEffect, useRef, useState } from 'react'
import { findErrorAt } from '#lib/api/api-error.ts'
import { asIntent } from '#lib/state/intent-draft.ts'
import type { useDraft } from '#ui/forms/use-draft.ts'
import { toast } from '#ui/messages/toast.ts'
import { isTakenPrompt, findProblemElsewhere, findPromptProblem } from './send-prompt.ts'

/** Reasons by field, from the service (`refused`), without a response (`unanswered`), or `elsewhere`. */
export type Problems = Partial<
  Record<'connectionId' | 'prompt' | 'projectId' | 'refused' | 'unanswered' | 'elsewhere', string | null>
>

type PromptForm<Fields extends { prompt: string }> = {
  draft: ReturnType<typeof useDraft<Fields>>
  send: (fields: Fields, requestId: string) => Promise<SentAgentPrompt>
  chosen?: Partial<Fields>
  /** Fields that stay after an accepted prompt. */
  keep?: (fields: Fields) => Partial<Fields>
  onTaken: (response: SentAgentPrompt) => void
  /** True while the form is on screen. Otherwise a toast shows failures. */
  visible: boolean
  asksConnection?: boolean
}

/** Sends a form with a prompt once per intent. Keeps the draft until it is accepted. Reports the outcome even after unmounting. */
export const usePromptForm = <Fields extends { prompt: string; projectId?: string; connectionId?: string }>(
  form: PromptForm<Fields>,
) => {
  const { draft, change, clear } = form.draft
  const { asksConnection = false } = form
  const [problems, setProblems] = useState<Problems>({})
  const [busy, setBusy] = useState(false)
  // A second press may come before the next render.
  const underWay = useRef(false)
  const visible = useRef(false)
  useEffect(() => {
    visible.current = form.visible
    return () => void (visible.current = false)
  }, [form.visible])

  const tell = (found: Problems, title: string) => {
    setProblems(found)
    const message = Object.values(found).find((text) => text !== null && text !== undefined)
    if (!visible.current) toast(`${title} ${message ?? ''}`, { tone: 'failed' })
  }

  const submit = async (): Promise<void> => {
    if (underWay.current) return
    const fields = { ...draft, ...form.chosen }
    const prompt = findPromptProblem(fields.prompt)
    const projectId = fields.projectId?.trim() === '' ? 'Enter a project ID.' : null
    const connectionId = asksConnection ? 'Choose a connection.' : null
    if (prompt !== null || projectId !== null || connectionId !== null)
      return setProblems({ prompt, projectId, connectionId })
    const intent = asIntent(fields)
    change(intent as Partial<typeof draft>)
    setProblems({})
    underWay.current = true
    setBusy(true)
    try {
      const response = await form.send(fields, intent.requestId)
      if (isTakenPrompt(response.prompt)) {
        clear(form.keep?.(fields))
        return form.onTaken(response)
      }
      // After a refusal, sending again is a new request.
      change({ requestId: null, sentAs: null } as Partial<typeof draft>)
      tell({ refused: response.prompt.reason }, 'The prompt was refused.')
    } catch (error) {
      const found = {
        prompt: findErrorAt(error, 'prompt'),
        projectId: findErrorAt(error, 'projectId'),
        connectionId: findErrorAt(error, 'connectionId'),
        ...findProblemElsewhere(error, ['prompt', 'projectId', 'connectionId']),
      }
      tell(found, 'The prompt was not sent.')
    } finally {
      underWay.current = false
      setBusy(false)
    }
  }

  return {
    draft,
    type: (next: Partial<Fields>) => {
      change(next as Partial<typeof draft>)
      setProblems({})
    },
    submit,
    busy,
    problems,
  }
}
