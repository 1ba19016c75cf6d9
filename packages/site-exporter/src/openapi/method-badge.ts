import type { Element } from 'hast'
import { h } from 'hastscript'

const kinds = /^(get|post|put|patch|delete|webhook)$/

/** Class of a method for the style sheet. */
export const methodClass = (method: string): string =>
  kinds.test(method.toLowerCase()) ? method.toLowerCase() : 'other'

/** Method as people read it. */
export const methodWord = (method: string): string => (method === 'WEBHOOK' ? 'Webhook' : method)

/** The method of an operation as a coloured word. */
export const methodBadge = (method: string): Element =>
  h('span', { className: ['method', methodClass(method)] }, methodWord(method))
