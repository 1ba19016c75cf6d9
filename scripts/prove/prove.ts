import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { proofNames } from './running/proof-names.ts'

const names = proofNames()
const usage = `pnpm prove [${names.join('|')}]… [--planted]

Plays the named proofs, or all, one after the other. --planted breaks first what each is about, and fails when one does not notice.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { planted: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
})
const unknown = positionals.filter((name) => !names.includes(name))
if (values.help || unknown.length > 0) {
  console.log(unknown.length > 0 ? `There is no proof named ${unknown.join(', ')}.\n\n${usage}` : usage)
  process.exit(unknown.length > 0 ? 2 : 0)
}

let playing: ChildProcess | null = null
let stoppedBy: NodeJS.Signals | null = null
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    // A group of its own, so that it hears of Ctrl-C once and can end what it started.
    if (stoppedBy === null) playing?.kill(signal)
    stoppedBy = signal
  })

let failed = 0
for (const name of positionals.length > 0 ? positionals : names) {
  playing = spawn(
    process.execPath,
    [join(import.meta.dirname, 'running', 'play.ts'), name, values.planted ? 'planted' : 'as-it-is'],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true },
  )
  const [code] = (await once(playing, 'exit')) as [number | null]
  if (code !== 0) failed += 1
  if (stoppedBy !== null) break
}
process.exit(stoppedBy === null && failed === 0 ? 0 : 1)
