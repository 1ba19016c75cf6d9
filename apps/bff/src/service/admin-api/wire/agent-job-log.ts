import { z } from 'zod'
import type { AgentJobLogPart } from '#service/admin-api/admin-api.ts'
import { cleanProse } from './wire-values.ts'

const LogWire = z.object({
  text: z.string(),
  nextOffset: z.int().nonnegative(),
  isCut: z.boolean().catch(false),
  ended: z.boolean().catch(false),
})

/** Parses a part of a log that was asked for from `offset` on. Null when unusable; an offset that goes back would never end. */
export const parseAgentJobLog = (body: unknown, offset: number): AgentJobLogPart | null => {
  const { data: part } = LogWire.safeParse(body)
  return part === undefined || part.nextOffset < offset ? null : { ...part, text: cleanProse(part.text) }
}
