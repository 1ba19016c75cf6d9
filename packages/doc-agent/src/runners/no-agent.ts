import type { Runner } from './runner.ts'

/** Why a free prompt cannot be worked on without a command, and where to read on. */
export const noAgent =
  'No agent is configured, so this service does maintenance only: fix links, fix typos, replace, move. To run prompts, set AGENT_COMMAND; the user guide says how under “Connect an agent”.'

export const noAgentRunner: Runner = {
  model: 'none',
  check: () => noAgent,
  run: () => Promise.reject(new Error(noAgent)),
}
