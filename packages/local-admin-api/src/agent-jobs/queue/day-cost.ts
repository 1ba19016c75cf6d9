import type { AgentJobStore } from '#agent-jobs/agent-job-store.ts'

export type DayLimit = { sentence: string; opensAt: Date }

/**
 * Checks the cost of the turns that ended on `now`'s day (UTC), as far as agents reported it, against `maxUsd`. Null while there is budget
 * left, or without a limit.
 */
export const checkDayCost = async (
  store: Pick<AgentJobStore, 'sumDayCost'>,
  maxUsd: number | null,
  now: Date,
): Promise<DayLimit | null> => {
  if (maxUsd === null) return null
  const day = now.toISOString().slice(0, 10)
  const spent = await store.sumDayCost(day)
  if (spent < maxUsd) return null
  const opensAt = new Date(Date.parse(`${day}T00:00:00.000Z`) + 86_400_000)
  const opens = `${opensAt.toISOString().slice(0, 10)} 00:00 UTC`
  const sentence = `Agents have used $${spent.toFixed(2)} today, and the limit is $${maxUsd.toFixed(2)} a day (AGENT_DAY_MAX_COST). New work can start at ${opens}.`
  return { sentence, opensAt }
}
