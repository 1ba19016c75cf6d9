import type { Element } from 'hast'
import { h } from 'hastscript'

const kinds = /^(get|post|put|patch|delete|webhook)$/

/** CSS class of a method. */
export const methodClass = (method: string): string =>
  kinds.test(method.toLowerCase()) ? method.toLowerCase() : 'other'

/** Displayed name of a method. */
export const methodWord = (method: string): string => (method === 'WEBHOOK' ? 'Webhook' : method)

/** Coloured label of a method. */
export const methodBadge = (method: string): Element =>
  h('span', { className: ['method', methodClass(method)] }, methodWord(method))
