import type { MaintenanceOrderInput } from '@docket/api-types/maintenance-orders'
import { ApiError } from '#lib/api/api-error.ts'
import { splitLines } from '#lib/text/lines.ts'

export type Action = MaintenanceOrderInput['action']

/** Fields of all actions as typed, so that switching the action loses none. */
export const emptyOrder = {
  action: 'fix_links' as Action,
  find: '',
  replacement: '',
  wholeWords: false,
  matchCase: false,
  includeCode: false,
  from: '',
  to: '',
  folder: '',
  /** One path a line. */
  pages: '',
  limit: '',
}

export type OrderDraft = typeof emptyOrder

export type OrderProblems = Partial<Record<keyof OrderDraft, string | null>>

export const toOrder = (draft: OrderDraft): MaintenanceOrderInput => {
  const { action, find, replacement, wholeWords, matchCase, includeCode, from, to } = draft
  if (action === 'move') return { action, from: from.trim(), to: to.trim() }
  if (action === 'replace') return { action, find, replacement, wholeWords, matchCase, includeCode, ...toScope(draft) }
  return { action, ...toScope(draft) }
}

const toScope = ({ folder, pages, limit }: OrderDraft) => ({
  ...(folder.trim() !== '' && { folder: folder.trim() }),
  ...(pages.trim() !== '' && { pages: splitLines(pages) }),
  ...(limit.trim() !== '' && { limit: Number(limit) }),
})

export const findOrderProblems = (draft: OrderDraft): OrderProblems => {
  const { action, find, from, to, pages, limit } = draft
  if (action === 'move')
    return {
      ...(from.trim() === '' && { from: 'Enter the page to move.' }),
      ...(to.trim() === '' && { to: 'Enter its new place.' }),
    }
  return {
    ...(action === 'replace' && find === '' && { find: 'Enter the text to replace.' }),
    ...(splitLines(pages).length > 100 && { pages: 'At most 100 pages. Choose a folder instead.' }),
    ...(limit.trim() !== '' &&
      !/^\s*[1-9]\d{0,3}\s*$/.test(limit) && { limit: 'Enter a whole number from 1 to 9,999.' }),
  }
}

/** The field of an order that a failure concerns, with its message. Empty when it concerns none. */
export const readOrderProblem = (error: unknown): OrderProblems => {
  const [, field = ''] = (error instanceof ApiError && /^maintenance\.(\w+)/.exec(error.field ?? '')) || []
  return field in emptyOrder ? { [field]: (error as ApiError).message.replace(/^maintenance[.\w]*: /, '') } : {}
}
