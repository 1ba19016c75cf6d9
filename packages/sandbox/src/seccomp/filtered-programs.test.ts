import { beforeEach, expect, test } from 'vitest'
import { openSandbox, whyNoSandbox } from '#testing/open-sandbox.ts'
import { absentCalls, forbiddenCalls } from './denied-calls.ts'

const reason = await whyNoSandbox()
beforeEach(({ skip }) => skip(reason !== null, `not run: ${reason}`))

/** Calls that any user may make where no filter is, by the number on this machine, and how they fail here. */
const calls = [
  [forbiddenCalls.add_key, 1],
  [forbiddenCalls.ptrace, 1],
  [forbiddenCalls.io_uring_setup, 1],
  [forbiddenCalls.name_to_handle_at, 1],
  [forbiddenCalls.get_mempolicy, 1],
  [absentCalls.clone3, 38],
  [absentCalls.memfd_create, 38],
  [absentCalls.shmget, 38],
] as const

test('the seccomp filter blocks dangerous system calls, socket types and personalities', async () => {
  const numbers = calls.map(([call]) => call[process.arch === 'arm64' ? 1 : 0])
  const { shell } = await openSandbox()
  const lines = await shell(`
    grep -E "^Seccomp:" /proc/self/status
    perl -e 'for (@ARGV) { $! = 0; syscall($_, 0, 0, 0, 0, 0); print $! + 0, "\n" }' ${numbers.join(' ')}
    perl -e 'socket(S, 16, 3, 0) or print $! + 0, "\n"'
    setarch -R true 2>&1`)
  expect(lines[0]).toMatch(/^Seccomp:\s*2$/)
  expect(lines.slice(1, -2)).toEqual(calls.map(([, errno]) => `${errno}`))
  expect(lines.at(-2)).toBe('97')
  expect(lines.at(-1)).toMatch(/personality.*: Operation not permitted/)
})

const program = `
const { Worker } = require('node:worker_threads')
const fs = require('node:fs')
const { execFileSync } = require('node:child_process')
fs.mkdirSync('made')
const workers = [1, 2, 3].map((n) => new Worker("require('node:fs').writeFileSync('made/" + n + "', '" + n + "')", { eval: true }))
Promise.all(workers.map((worker) => new Promise((done) => worker.on('exit', done)))).then(() => {
  fs.promises.readFile('made/3', 'utf8').then((text) => console.log(text, execFileSync('sh', ['-c', 'echo shell | tr a-z A-Z'], { encoding: 'utf8' })))
})`

test('Node with threads, a shell, git and Python work under the filter', async () => {
  const { node, shell } = await openSandbox()
  expect(await node(program)).toEqual(['3 SHELL'])
  const commit =
    'git init -q . && git add made && git -c user.name=a -c user.email=a@b commit -qm one && git log --oneline | wc -l'
  expect(await shell(commit)).toEqual(['1'])
  const python =
    'command -v python3 >/dev/null || { echo 4; exit; }; python3 -c "import subprocess,threading; t=threading.Thread(target=lambda: print(2+2)); t.start()"'
  expect(await shell(python)).toEqual(['4'])
})
