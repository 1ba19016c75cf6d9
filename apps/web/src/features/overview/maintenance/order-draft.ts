import type { MaintenanceOrderInput } from '@docket/api-types/maintenance-orders'
import { ApiError } from '#lib/api/api-error.ts'

export type Action = MaintenanceOrderInput['action']

/** Fields of all actions as typed, so that switching the action loses none. */
export type OrderDraft = {
  action: Action
  find: string
  replacement: string
  wholeWords: boolean
  matchCase: boolean
  includeCode: boolean
  from: string
  to: string
  folder: string
  /** One path a line. */
  pages: string
  limit: string
}

export const emptyOrder: OrderDraft = {
  action: 'fix_links',
  find: '',
  replacement: '',
  wholeWords: false,
  matchCase: false,
  includeCode: false,
  from: '',
  to: '',
  folder: '',
  pages: '',
  limit: '',
}

export type OrderProblems = Partial<Record<keyof OrderDraft, string | null>>

export const toOrder = (draft: OrderDraft): MaintenanceOrderInput => {
  const { action, find, replacement, wholeWords, matchCase, includeCode, from, to } = draft
  if (action === 'move') return { action, from: from.trim(), to: to.trim() }
  if (action === 'replace') return { action, find, replacement, wholeWords, matchCase, includeCode, ...toScope(draft) }
  return { action, ...toScope(draft) }
}

const listPages = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const toScope = ({ folder, pages, limit }: OrderDraft) => ({
  ...(folder.trim() !== '' && { folder: folder.trim() }),
  ...(pages.trim() !== '' && { pages: listPages(pages) }),
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
    ...(listPages(pages).length > 100 && { pages: 'At most 100 pages. Choose a folder instead.' }),
    ...(limit.trim() !== '' &&
      !/^\s*[1-9]\d{0,3}\s*$/.test(limit) && { limit: 'Enter a whole number from 1 to 9,999.' }),
  }
}

/** The field of an order that a failure concerns, with its message. Empty when it concerns none. */
export const readOrderProblem = (error: unknown): OrderProblems => {
  const [, field = ''] = (error instanceof ApiError && /^maintenance\.(\w+)/.exec(error.field ?? '')) || []
  return field in emptyOrder ? { [field]: (error as ApiError).message.replace(/^maintenance[.\w]*: /, '') } : {}
}
