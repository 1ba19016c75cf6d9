import { parseArgs } from 'node:util'

/** Limits for the concurrent work of a worker. The settings apply when they are absent. */
export type WorkAtOnce = { exports?: number; agents?: number }

/** Parses arguments without Node's own messages. Throws an `Error` with `usage` for invalid ones. */
const parseOrExplain = <T>(read: () => T, usage: string): T => {
  try {
    return read()
  } catch {
    throw new Error(usage)
  }
}

export const readStartArguments = (args: string[], usage: string): { works: boolean } => {
  const options = { 'no-workers': { type: 'boolean' } } as const
  const { values } = parseOrExplain(() => parseArgs({ args, options }), usage)
  return { works: values['no-workers'] !== true }
}

const readAmount = (text: string | undefined, usage: string): number | undefined => {
  if (text === undefined) return undefined
  if (!/^\d{1,3}$/.test(text)) throw new Error(usage)
  return Number(text)
}

/** Reads the arguments of `docket worker`. Throws an `Error` with `usage` for invalid ones, and when no work is left to do. */
export const readWorkerArguments = (args: string[], usage: string): WorkAtOnce => {
  const options = { exports: { type: 'string' }, agents: { type: 'string' } } as const
  const { values } = parseOrExplain(() => parseArgs({ args, options }), usage)
  const [exports, agents] = [readAmount(values.exports, usage), readAmount(values.agents, usage)]
  if (exports === 0 && agents === 0) throw new Error(usage)
  return { ...(exports !== undefined && { exports }), ...(agents !== undefined && { agents }) }
}
