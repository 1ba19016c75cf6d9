import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { proofs } from './list.ts'

const usage = `pnpm prove [name]… [--planted] [--quick]
pnpm prove list

Plays the named proofs, or all, one after the other. --planted breaks first what each is about, and fails when one does not notice.
--quick plays the short forms that \`npm test\` plays, and without names only those. \`pnpm prove list\` says what each proves and costs.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    planted: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const formatMinutes = (seconds: number) => `${Math.ceil(seconds / 60)} min`

const printList = async () => {
  for (const { name, load, seconds, quickSeconds } of proofs) {
    const { proof } = await load()
    const short = quickSeconds === null ? '' : `, in npm test ${quickSeconds} s`
    console.log(`${name} (${seconds} s${short})\n  ${proof.bar}`)
  }
  console.log(`\nAll: about ${formatMinutes(proofs.reduce((sum, { seconds }) => sum + seconds, 0))}`)
}

if (values.help || positionals.join() === 'list') {
  if (values.help) console.log(usage)
  else await printList()
  process.exit(0)
}
const unknown = positionals.filter((name) => !proofs.some((proof) => proof.name === name))
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

const costs = ({ seconds, quickSeconds }: (typeof proofs)[number]) => (values.quick ? quickSeconds : null) ?? seconds
const isSelected = ({ name, quickSeconds }: (typeof proofs)[number]) =>
  positionals.length > 0 ? positionals.includes(name) : !values.quick || quickSeconds !== null
const selected = proofs.filter(isSelected)
if (selected.length > 1 && !values.planted)
  console.log(
    `${selected.length} proofs, about ${formatMinutes(selected.reduce((sum, proof) => sum + costs(proof), 0))} in all`,
  )

let failed = 0
for (const proof of selected) {
  if (!values.planted) console.log(`▶ ${proof.name}, about ${costs(proof)} s`)
  const options = [...(values.planted ? ['planted'] : []), ...(values.quick ? ['quick'] : [])]
  playing = fork(join(import.meta.dirname, 'harness', 'play.ts'), [proof.name, ...options], { detached: true })
  const [code] = (await once(playing, 'exit')) as [number | null]
  if (code !== 0) failed += 1
  if (stoppedBy !== null) break
}
process.exit(stoppedBy === null && failed === 0 ? 0 : 1)
