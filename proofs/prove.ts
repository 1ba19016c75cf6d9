import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { proofs } from './list.ts'

const usage = `pnpm prove                        lists the proofs, with what each proves and its estimated time
pnpm prove <name>… [--planted] [--quick]
pnpm prove all [--planted]

Plays the named proofs, or all, one after the other. --planted breaks first what each is about, and fails when one does not notice.
--quick plays short forms where a proof has one.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    planted: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const formatTime = (seconds: number) => (seconds < 120 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`)

const printList = async () => {
  for (const { name, load, seconds, inNpmTest } of proofs) {
    const { proof } = await load()
    console.log(`${name} (${formatTime(seconds)}${inNpmTest ? `, ${inNpmTest} in npm test` : ''})\n  ${proof.bar}`)
  }
  console.log(`\nAll: about ${formatTime(proofs.reduce((sum, { seconds }) => sum + seconds, 0))}`)
}

if (values.help || positionals.length === 0) {
  if (values.help) console.log(usage)
  else await printList()
  process.exit(0)
}
const isAll = positionals.join() === 'all'
const unknown = isAll ? [] : positionals.filter((name) => !proofs.some((proof) => proof.name === name))
if (unknown.length > 0) {
  console.log(`There is no proof named ${unknown.join(', ')}.\n\n${usage}`)
  process.exit(2)
}

let playing: ChildProcess | null = null
let stoppedBy: NodeJS.Signals | null = null
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    // A group of its own, so that it hears of Ctrl-C once and can end what it started.
    if (stoppedBy === null) playing?.kill(signal)
    stoppedBy = signal
  })

const play = async (name: string): Promise<boolean> => {
  const options = [...(values.planted ? ['planted'] : []), ...(values.quick ? ['quick'] : [])]
  playing = fork(join(import.meta.dirname, 'harness', 'play.ts'), [name, ...options], { detached: true })
  const [code] = (await once(playing, 'exit')) as [number | null]
  return code === 0
}

const selected = proofs.filter(({ name }) => isAll || positionals.includes(name))
const summary: string[] = []
let failed = 0
for (const { name, seconds } of selected) {
  if (stoppedBy !== null) break
  console.log(`▶ ${name}, about ${formatTime(seconds)}`)
  const startMs = performance.now()
  const ok = await play(name)
  if (!ok) failed += 1
  summary.push(`${ok ? '✓' : '✗'} ${name}, ${formatTime((performance.now() - startMs) / 1000)}`)
}
if (selected.length > 1) {
  const left = selected.length - summary.length
  console.log(`\n${summary.join('\n')}`)
  console.log(`${summary.length - failed} passed, ${failed} failed${left === 0 ? '' : `, ${left} not played`}`)
}
process.exit(stoppedBy === null && failed === 0 ? 0 : 1)
