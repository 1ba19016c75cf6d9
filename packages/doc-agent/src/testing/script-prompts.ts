import { setTimeout as sleep } from 'node:timers/promises'
import { gitIn } from '@docket/sources/git/git'
import type { MaintenanceOrder } from '#recipes/order.ts'
import { formatOutcome } from '#recipes/recipe.ts'
import { type Runner, testRunner } from '#runners/runner.ts'

const toOrder = (line: string): MaintenanceOrder | null => {
  if (line === 'Fix links') return { action: 'fix_links' }
  if (line === 'Fix typos') return { action: 'fix_typos' }
  const [, from, to] = /^Move ["“]([^"“”]+)["”] to ["“]([^"“”]+)["”]$/.exec(line) ?? []
  if (from !== undefined && to !== undefined) return { action: 'move', from, to }
  const [, find, replacement] = /^Replace ["“]([^"“”]+)["”] with ["“]([^"“”]*)["”]$/.exec(line) ?? []
  if (find === undefined || replacement === undefined) return null
  return { action: 'replace', find, replacement, wholeWords: false, matchCase: true, includeCode: true }
}

const maxSteps = 50
const wait = /^Wait (\d+) s$/

const toLines = (prompt: string) =>
  prompt
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const check = (prompt: string) => {
  const lines = toLines(prompt)
  if (lines.length > maxSteps) return `The prompt has ${lines.length} steps; ${maxSteps} are the most.`
  const odd = lines.find((line) => !wait.test(line) && toOrder(line) === null)
  return odd === undefined ? null : `“${odd}” is not understood.`
}

/**
 * An agent that does what each line of a prompt says: a maintenance action, or `Wait 5 s`. It works in this process: the
 * process of the built-in runner has tests of its own.
 */
const scriptedAgent: Runner = {
  model: 'scripted agent',
  check,
  run: async ({ prompt, checkout, folder, repository: { gitDir, commit }, onOutput }, signal) => {
    // In browser tests, Docket loads the parsers only when there is work.
    const { runOrder } = await import('#recipes/recipes.ts')
    const git = gitIn(gitDir)
    const report: string[] = []
    for (const line of toLines(prompt)) {
      signal.throwIfAborted()
      const [, seconds] = wait.exec(line) ?? []
      const order = toOrder(line)
      onOutput(`${line}\n`)
      if (seconds !== undefined) await sleep(Number(seconds) * 1000, undefined, { signal })
      else if (order !== null) report.push(...formatOutcome(await runOrder(order, { checkout, folder, git, commit })))
    }
    return { report, usage: null, checks: null }
  },
}

/** Has this process run prompts by a scripted agent, so that tests need neither a sandbox nor a model. */
export const scriptPrompts = (): void => {
  testRunner.current = scriptedAgent
}
