import type { ListedAuditEvent } from '@docket/api-types/audit'
import type { GateSettings } from '@docket/api-types/gates'
import { formatBytes, formatPlural } from '#lib/text/format.ts'

type Details = ListedAuditEvent['details']

/** Conditions of a gate in a few words; null for text that is no gate. */
const describeGate = (text: string): string | null => {
  try {
    const gate = JSON.parse(text) as GateSettings
    const conditions = [
      gate.finishedCheck && 'check finished',
      gate.noNewBreaks && 'no new breaks',
      gate.noNewLeaks && 'no new leaks',
      gate.maxFewerPages !== null && `at most ${gate.maxFewerPages} % fewer pages`,
      gate.maxBytes !== null && `at most ${formatBytes(gate.maxBytes)}`,
      gate.sameSearch && 'same search',
      gate.approvals > 0 && formatPlural(gate.approvals, 'approval'),
    ]
    return conditions.filter(Boolean).join(', ') || 'no conditions'
  } catch {
    return null
  }
}

const words: Readonly<Record<string, string>> = { isProtected: 'protected' }

/** Details of a changed channel for reading: what was switched off counts as well as what was switched on. */
export const describeChannelChange = ({ gate, headers, ...rest }: Details): Details => ({
  ...Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [
      words[name] ?? name,
      typeof value === 'boolean' ? (value ? 'on' : 'off') : name === 'hostname' && value === null ? 'none' : value,
    ]),
  ),
  ...(headers !== undefined && { headers: headers || 'none' }),
  ...(typeof gate === 'string' && { gate: describeGate(gate) ?? gate }),
})
