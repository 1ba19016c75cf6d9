import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { endAll, endOnSignal } from '#scripts/bench/harness/cleanup.ts'
import type { Proof } from './proof.ts'

/** Files of this folder that hold no proof. What proofs share otherwise is in folders of their own. */
const helpers = new Set(['proof.ts', 'prove.ts', 'client.ts'])
const limitMs = 20 * 60_000

const names = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !helpers.has(entry.name))
  .map((entry) => entry.name.slice(0, -'.ts'.length))
  .toSorted()

const usage = `pnpm prove [${names.join('|')}]… [--planted]

Plays the named proofs, or all, one after the other. --planted breaks first what each is about, and fails when one does not notice.`

const load = async (name: string): Promise<Proof> => {
  const { proof } = (await import(join(import.meta.dirname, `${name}.ts`))) as { proof?: Proof }
  if (proof?.name !== name) throw new Error(`scripts/prove/${name}.ts exports no proof of its name`)
  return proof
}

const withinLimit = async <T>(work: Promise<T>): Promise<T> => {
  const end = new AbortController()
  const late = delay(limitMs, undefined, { signal: end.signal }).then(() => {
    throw new Error(`did not end in ${limitMs / 60_000} minutes`)
  })
  late.catch(() => {})
  return Promise.race([work, late]).finally(() => end.abort())
}

const play = async (name: string, planted: boolean): Promise<boolean> => {
  const begun = performance.now()
  const line = (mark: string, text: string) =>
    console.log(`${mark} ${name}: ${text} (${((performance.now() - begun) / 1000).toFixed(1)} s)`)
  try {
    const proof = await load(name)
    const { ok, figure } = await withinLimit(proof.run({ planted }))
    if (planted) line(ok ? '✗ NOT NOTICED' : '✓ went red', figure)
    else line(ok ? '✓ ok' : '✗ FAILED', ok ? figure : `${figure}; the bar: ${proof.bar}`)
    return ok !== planted
  } catch (error) {
    line('✗ NOT PLAYED', error instanceof Error ? (error.stack ?? error.message) : String(error))
    return false
  } finally {
    await endAll()
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { planted: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
})
const unknown = positionals.filter((name) => !names.includes(name))
if (values.help || unknown.length > 0) {
  console.log(unknown.length > 0 ? `There is no proof named ${unknown.join(', ')}.\n\n${usage}` : usage)
  process.exit(unknown.length > 0 ? 2 : 0)
}

endOnSignal()
// A proof that loses a rejection must not leave its servers behind either.
process.on('uncaughtException', (error) => {
  console.error(error)
  void endAll().then(() => process.exit(1))
})
let failed = 0
for (const name of positionals.length > 0 ? positionals : names) if (!(await play(name, values.planted))) failed += 1
process.exit(failed > 0 ? 1 : 0)
