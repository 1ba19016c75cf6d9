import type { SentAgentPrompt } from '@docket/api-types/agent-prompts'
import type { PreviewMaintenance } from '@docket/api-types/maintenance'
import type { MaintenanceOrderInput } from '@docket/api-types/maintenance-orders'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError, findErrorAt, toMessage } from '#lib/api/api-error.ts'
import { post } from '#lib/api/api.ts'
import { asIntent } from '#lib/state/intent-draft.ts'
import { useDraft } from '#ui/forms/use-draft.ts'
import { toast } from '#ui/messages/toast.ts'
import {
  emptyOrder,
  findOrderProblems,
  readOrderProblem,
  toOrder,
  type OrderDraft,
  type OrderProblems,
} from './order-draft.ts'

/** Reasons by field; `elsewhere` holds one that concerns no field. */
export type MaintenanceProblems = OrderProblems & {
  projectId?: string | null
  connectionId?: string | null
  elsewhere?: string | null
  unanswered?: boolean
}

export type MaintenanceTarget = {
  projectId: string
  connection: { connectionId?: string }
  create: (order: MaintenanceOrderInput, requestId: string) => Promise<SentAgentPrompt>
  onTaken: (sent: SentAgentPrompt) => void
  /** True while the form is on screen. Otherwise a toast shows failures. */
  visible: boolean
}

/** Draft, preview and start of a maintenance order. Sends each intent once, and keeps what is typed until it is accepted. */
export const useMaintenanceForm = ({ projectId, connection, create, onTaken, visible }: MaintenanceTarget) => {
  const saved = useDraft<OrderDraft & { target: string }>('maintenance', { ...emptyOrder, target: '' })
  const { draft, change, clear } = saved
  const preview = useMutation({
    mutationFn: (body: PreviewMaintenance) => post('/api/maintenance/preview', { body }),
  })
  const [previewed, setPreviewed] = useState('')
  const [problems, setProblems] = useState<MaintenanceProblems>({})
  const [starting, setStarting] = useState(false)
  const underWay = useRef(false)
  const onScreen = useRef(visible)
  useEffect(() => void (onScreen.current = visible), [visible])

  const order = toOrder(draft)
  const target = JSON.stringify([connection.connectionId ?? '', projectId.trim()])
  const key = JSON.stringify([target, order])

  const explain = (error: unknown): MaintenanceProblems => {
    const found: MaintenanceProblems = {
      ...readOrderProblem(error),
      projectId: findErrorAt(error, 'projectId'),
      connectionId: findErrorAt(error, 'connectionId'),
    }
    if (Object.values(found).some((text) => text !== null && text !== undefined)) return found
    const unanswered = error instanceof ApiError && (error.code === 'no_answer' || error.code === 'internal')
    return { elsewhere: toMessage(error), unanswered }
  }
  const isReady = () => {
    const found: MaintenanceProblems = {
      ...findOrderProblems(draft),
      ...(projectId.trim() === '' && { projectId: 'Enter a project ID.' }),
    }
    setProblems(found)
    return Object.keys(found).length === 0
  }

  const startPreview = async (): Promise<void> => {
    if (!isReady() || preview.isPending) return
    const before = key
    await preview
      .mutateAsync({ ...connection, projectId: projectId.trim(), maintenance: order })
      .then(() => setPreviewed(before))
      .catch((error: unknown) => setProblems(explain(error)))
  }
  const start = async (): Promise<void> => {
    if (underWay.current || !isReady()) return
    const intent = asIntent({ ...draft, target })
    change(intent)
    underWay.current = true
    setStarting(true)
    try {
      const sent = await create(order, intent.requestId)
      if (sent.prompt.state !== 'refused') {
        clear({ action: draft.action })
        return onTaken(sent)
      }
      // After a refusal, sending again is a new request.
      change({ requestId: null, sentAs: null })
      fail({ elsewhere: sent.prompt.reason })
    } catch (error) {
      fail(explain(error))
    } finally {
      underWay.current = false
      setStarting(false)
    }
  }
  const fail = (found: MaintenanceProblems) => {
    setProblems(found)
    if (!onScreen.current) toast(`No job was created. ${found.elsewhere ?? ''}`, { tone: 'failed' })
  }

  return {
    draft,
    type: (next: Partial<OrderDraft>) => {
      change(next)
      setProblems({})
    },
    problems,
    preview: previewed === key ? (preview.data ?? null) : null,
    previewing: preview.isPending,
    starting,
    startPreview,
    start,
  }
}
