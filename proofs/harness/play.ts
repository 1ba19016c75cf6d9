import { setTimeout as delay } from 'node:timers/promises'
import { endAll, endOnSignal } from '#bench/harness/cleanup.ts'
import { proofs } from '#proofs/list.ts'

// Plays one proof in a process of its own, so that what it breaks stays broken for it alone. Arguments: its name, and
// `planted` or `quick`.
const [name = '', ...options] = process.argv.slice(2)
const planted = options.includes('planted')
const quick = options.includes('quick')

const tooLate = async (limitMs: number): Promise<never> => {
  await delay(limitMs, undefined, { ref: false })
  throw new Error(`did not end in ${limitMs / 60_000} minutes`)
}

const play = async (): Promise<boolean> => {
  const startMs = performance.now()
  const line = (verdict: string, text: string) =>
    console.log(`${verdict} ${name}: ${text} (${((performance.now() - startMs) / 1000).toFixed(1)} s)`)
  try {
    const entry = proofs.find((one) => one.name === name)
    if (entry === undefined) throw new Error(`There is no proof named ${name}`)
    const { proof } = await entry.load()
    if (planted && proof.fault === null) {
      console.log(`– ${name} has no fault to plant`)
      return true
    }
    // Ten times the estimate, and at least 20 minutes: a loaded machine plays slowly.
    const limitMs = Math.max(20 * 60_000, entry.seconds * 10_000)
    const { ok, figure } = await Promise.race([proof.run({ planted, quick }), tooLate(limitMs)])
    if (planted) line(ok ? '✗ not noticed' : '✓ went red', figure)
    else line(ok ? '✓ ok' : '✗ failed', ok ? figure : `${figure}; the bar: ${proof.bar}`)
    return ok !== planted
  } catch (error) {
    line('✗ not played', error instanceof Error ? (error.stack ?? error.message) : String(error))
    return false
  }
}

const leave = (code: number) => endAll().then(() => process.exit(code))

endOnSignal()
// The parent process was killed.
process.on('disconnect', () => void leave(1))
// A proof that loses a rejection must not leave its servers behind either.
process.on('uncaughtException', (error) => {
  console.error(error)
  void leave(1)
})
await leave((await play()) ? 0 : 1)
