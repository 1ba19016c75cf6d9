import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sentinelIds, sentinelPrompts } from '#agent-jobs/sentinels.ts'
import { MaintenanceOrder } from '#maintenance/order.ts'
import { sentinelDomains } from '#static-exports/static-exports.sentinels.ts'

const text = await readFile(join(import.meta.dirname, '../../../docs/local-admin-api.md'), 'utf8')
/** First column of the table under a heading. */
const firstColumn = (heading: string) => {
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? ''
  return [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name!)
}

test('exactly the existing reserved domains, job ids, prompts and maintenance actions are documented', () => {
  const domains = firstColumn('Reserved domains').filter((domain) => !domain.startsWith('slow-'))
  expect(domains.toSorted()).toEqual(sentinelDomains.toSorted())
  expect(firstColumn('Reserved agent jobs').toSorted()).toEqual(sentinelIds.toSorted())
  expect(firstColumn('Reserved prompts').toSorted()).toEqual(sentinelPrompts.toSorted())
  const actions = MaintenanceOrder.options.flatMap(({ shape: { action } }) =>
    'options' in action ? action.options : [...action.values],
  )
  expect(firstColumn('Maintenance')).toEqual(actions)
})
