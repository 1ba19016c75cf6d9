import type { Element } from 'hast'
import { h } from 'hastscript'

const kinds = /^(get|post|put|patch|delete|webhook)$/

export const methodClass = (method: string): string =>
  kinds.test(method.toLowerCase()) ? method.toLowerCase() : 'other'

export const methodWord = (method: string): string => (method === 'WEBHOOK' ? 'Webhook' : method)

export const methodBadge = (method: string): Element =>
  h('span', { className: ['method', methodClass(method)] }, methodWord(method))
