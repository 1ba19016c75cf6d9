import { cut } from '@docket/sources/text'

/** Part of a project that an order may change. Paths are relative to the project's folder; `limit` is in pages. */
export type Scope = { folder?: string | undefined; pages?: readonly string[] | undefined; limit?: number | undefined }

export type MaintenanceOrder =
  | ({ action: 'fix_links' | 'fix_typos' } & Scope)
  | ({
      action: 'replace'
      find: string
      replacement: string
      wholeWords: boolean
      matchCase: boolean
      includeCode: boolean
    } & Scope)
  | { action: 'move'; from: string; to: string }

/** Complete description of the order on one line, used as title and prompt of its job. */
export const describeOrder = (order: MaintenanceOrder): string => {
  if (order.action === 'move') return `Move ${order.from} to ${order.to}`
  return `${describeAction(order)}${describeScope(order)}`
}

const describeAction = (order: Exclude<MaintenanceOrder, { action: 'move' }>) => {
  if (order.action !== 'replace') return order.action === 'fix_links' ? 'Fix links' : 'Fix typos'
  const { find, replacement, wholeWords, matchCase, includeCode } = order
  const options = [
    ...(wholeWords ? ['whole words'] : []),
    ...(matchCase ? ['same case'] : []),
    ...(includeCode ? ['also in code'] : []),
  ]
  const done = replacement === '' ? `Remove “${find}”` : `Replace “${find}” with “${replacement}”`
  return done.replaceAll(/\s+/g, ' ') + (options.length === 0 ? '' : ` (${options.join(', ')})`)
}

const describeScope = ({ folder, pages, limit }: Scope) =>
  (pages === undefined ? '' : ` on ${cut(pages.join(', '), 2_000)}`) +
  (folder === undefined ? '' : ` in ${folder}`) +
  (limit === undefined ? '' : `, at most ${limit} ${limit === 1 ? 'page' : 'pages'}`)
