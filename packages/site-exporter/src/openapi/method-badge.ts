import type { Element } from 'hast'
import { h } from 'hastscript'

const kinds = /^(get|post|put|patch|delete|webhook)$/

export const findMethodClass = (method: string): string =>
  kinds.test(method.toLowerCase()) ? method.toLowerCase() : 'other'

export const formatMethod = (method: string): string => (method === 'WEBHOOK' ? 'Webhook' : method)

export const renderMethodBadge = (method: string): Element =>
  h('span', { className: ['method', findMethodClass(method)] }, formatMethod(method))
