import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeFolder, temporaryFolder } from '@docket/sources/testing/files'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { openSandbox, processesWith, whyNoSandbox } from '#testing/open-sandbox.ts'

const reason = await whyNoSandbox()
beforeEach(({ skip }) => skip(reason !== null, `not run: ${reason}`))

test('the command reaches no network, not even localhost', async () => {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { shell } = await openSandbox()
  const { port } = server.address() as AddressInfo
  expect(await shell(`(exec 5<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null && echo reached || echo closed`)).toEqual([
    'closed',
  ])
  expect(connections).toBe(0)
})

test('folders that are hidden below a system folder are empty and read-only, also one inside another', async () => {
  const { run } = await openSandbox()
  const script = 'ls -A /usr/share; touch /usr/share/planted 2>/dev/null || echo refused'
  const look = (hidden: string[]) => run({ words: ['/bin/sh', '-c', script], hidden })
  expect((await look(['/usr/share/doc'])).lines).not.toEqual(['refused'])
  expect((await look(['/usr/share', '/usr/share/doc'])).lines).toEqual(['refused'])
  expect((await look(['/usr/share/doc', '/usr/share'])).lines).toEqual(['refused'])
})

test('a command cannot read or write outside the checkout, and its private /tmp is removed when it ends', async () => {
  const outside = await writeFolder({ 'secret.txt': 'sesame' })
  const { shell, scratch, checkout } = await openSandbox()
  const places = [outside, '/tmp', '/usr', '/etc', '/', '/dev', '/dev/shm', '/var', '/home', scratch]
  const script = [
    `cat ${outside}/secret.txt /etc/shadow /etc/passwd /root/.bashrc /proc/1/root/etc/shadow`,
    ...places.map((place) => `echo planted > ${place}/docket-planted`),
    `ln -s ${outside} link; echo planted > link/docket-planted`,
    'echo written > inside.txt',
  ].join('\n')
  expect((await shell(script)).join('\n')).not.toMatch(/sesame|root:/)
  for (const place of places) expect(existsSync(join(place, 'docket-planted')), place).toBe(false)
  expect(readFileSync(join(checkout, 'inside.txt'), 'utf8')).toBe('written\n')
})

test('the command gets the prompt and a fixed environment, and no variable of the service', async () => {
  process.env['DOCKET_TEST_SECRET'] = 'sesame'
  onTestFinished(() => void delete process.env['DOCKET_TEST_SECRET'])
  const { shell } = await openSandbox()
  const lines = await shell('cat; env; cat /proc/*/environ | tr "\\0" "\\n"; ls /proc | grep -c "^[0-9]"')
  expect(lines[0]).toBe('the prompt')
  expect(lines.join('\n')).not.toMatch(/sesame|DOCKET/)
  // It sees its own processes only.
  expect(Number(lines.at(-1))).toBeLessThan(8)
})

test('a command has no capability, and can gain neither a namespace nor another user', async () => {
  const { shell } = await openSandbox()
  const lines = await shell(
    'grep -E "Cap(Eff|Bnd)|NoNewPrivs" /proc/self/status; unshare -Ur true 2>&1 && echo made; id -u',
  )
  expect(lines.slice(0, 3).join(' ')).toMatch(/CapEff:\s*0+ CapBnd:\s*0+ NoNewPrivs:\s*1/)
  expect(lines).not.toContain('made')
  expect(lines.at(-1)).toBe('1000')
})

test('the command never runs as root, and its files belong to a user without a name', async () => {
  const { shell, checkout } = await openSandbox()
  const outside = await writeFolder({ 'outside.txt': '' })
  symlinkSync(outside, join(checkout, 'link'))
  const marker = `85${Date.now()}`
  const stop = new AbortController()
  const running = shell(`touch begun; exec sleep ${marker}`, { signal: stop.signal })
  while (!existsSync(join(checkout, 'begun'))) await sleep(20)
  const users = processesWith(marker).map((pid) => statSync(`/proc/${pid}`).uid)
  stop.abort(new Error('Enough.'))
  await expect(running).rejects.toThrow('Enough.')
  const { uid } = statSync(join(checkout, 'begun'))
  // bubblewrap outside, its first process inside, and the command.
  expect(new Set(users)).toEqual(new Set([uid]))
  expect(uid).not.toBe(0)
  for (const place of [outside, join(outside, 'outside.txt')]) expect(statSync(place).uid).toBe(process.getuid?.())
  if (process.getuid?.() === 0) expect(readFileSync('/etc/passwd', 'utf8')).not.toContain(`:${uid}:`)
})

test.runIf(process.getuid?.() === 0)(
  'a temporary folder that only root can enter is named as the reason of a failure',
  async () => {
    const { run } = await openSandbox()
    const scratch = join(await temporaryFolder(), 'work')
    const checkout = join(scratch, 'tree')
    mkdirSync(checkout, { recursive: true })
    await expect(run({ scratch, checkout })).rejects.toThrow('other users may not enter the temporary folder')
  },
)

/** A program that runs a command in a sandbox, for a process of its own. */
const inSandbox = (order: object) => `
  const { runInSandbox } = await import(${JSON.stringify(import.meta.resolve('./run-in-sandbox.ts'))})
  const run = runInSandbox(${JSON.stringify(order)}, new AbortController().signal)
  console.log(await run.then(({ lines }) => lines.join('\\n'), ({ message }) => message))`

test('root that cannot switch to another user, as in a container with one user id, runs no command', async () => {
  const { scratch, checkout } = await openSandbox()
  const order = { words: ['/usr/bin/touch', 'ran'], input: '', scratch, checkout, hidden: [] }
  const alone = ['--map-root-user', process.execPath, '--input-type=module', '-e', inSandbox(order)]
  expect(execFileSync('unshare', alone, { encoding: 'utf8' })).toMatch(
    /^The command was not run: Docket is root, and .*\. Run Docket as an ordinary user\.$/m,
  )
  expect(existsSync(join(checkout, 'ran'))).toBe(false)
})

test('a command cannot use a file descriptor that the service inherited', async () => {
  const { scratch, checkout } = await openSandbox()
  const outside = join(await writeFolder({ 'open.txt': '' }), 'open.txt')
  const file = openSync(outside, 'a')
  onTestFinished(() => closeSync(file))
  const words = ['/bin/bash', '-c', 'for fd in 3 40 41; do echo planted >&$fd; done']
  // Node itself closes descriptors that follow each other without a gap.
  const stdio = Array.from({ length: 41 }, (_, descriptor) => (descriptor === 40 ? file : ('ignore' as const)))
  spawnSync(
    process.execPath,
    ['--input-type=module', '-e', inSandbox({ words, input: '', scratch, checkout, hidden: [] })],
    { stdio },
  )
  expect(readFileSync(outside, 'utf8')).toBe('')
})

test('no process or file of a command remains after it ends or is stopped, even if it was detached', async () => {
  const marker = `86${Date.now()}`
  const detached = `(setsid bash -c 'exec </dev/null >/dev/null 2>&1; trap "" TERM HUP; sleep ${marker} & sleep ${marker}' &)`
  const first = await openSandbox()
  await first.shell(`${detached}; sleep 0.1`)
  expect(processesWith(marker)).toEqual([])
  const stop = new AbortController()
  const { shell, checkout } = await openSandbox()
  const running = shell(`${detached}; touch begun; sleep ${marker}`, { signal: stop.signal })
  while (!existsSync(join(checkout, 'begun'))) await sleep(20)
  expect(processesWith(marker)).not.toEqual([])
  stop.abort(new Error('Enough.'))
  await expect(running).rejects.toThrow('Enough.')
  expect(processesWith(marker)).toEqual([])
})

test('endless output is cut, and characters that move the cursor or hide text are removed', async () => {
  const { shell } = await openSandbox()
  const lines = await shell(
    'yes "a line of it" | head -n 100000; printf "\\033[31mred\\033[0m \\033]0;title\\a\\u202Eend\\b\\n"',
  )
  expect(lines.length).toBeLessThanOrEqual(201)
  expect(lines[0]).toBe('…')
  expect(lines.at(-1)).toBe('red end')
})

test('a file cannot grow beyond the limit', async () => {
  const { shell, checkout } = await openSandbox()
  await shell('head -c 300000000 /dev/zero > big; true')
  expect(statSync(join(checkout, 'big')).size).toBe(268_435_456)
})

test('a program is available read-only wherever it is installed, with the files beside it', async () => {
  const place = await writeFolder({
    'node_modules/@x/cli/package.json': '{"type":"module"}',
    'node_modules/@x/cli/bin/agent.js':
      '#!/usr/bin/env node\nimport said from "dependency"\nimport { writeFileSync } from "node:fs"\nimport { execSync } from "node:child_process"\nconsole.log(said, execSync("node -p 1+1").toString().trim())\ntry { writeFileSync(import.meta.filename, "") } catch ({ code }) { console.log(code) }\n',
    'node_modules/dependency/package.json': '{"type":"module","exports":"./index.js"}',
    'node_modules/dependency/index.js': 'export default "from a dependency"\n',
    'work/tools/agent': '#!/bin/sh\ncat "$(dirname "$0")/beside.txt"\n',
    'work/tools/beside.txt': 'beside\n',
    'private/agent': '#!/bin/sh\ncat "$(dirname "$0")/beside.txt"\n',
    'private/beside.txt': 'beside\n',
  })
  const programs = ['node_modules/@x/cli/bin/agent.js', 'work/tools/agent', 'private/agent']
  for (const program of programs) chmodSync(join(place, program), 0o755)
  mkdirSync(join(place, 'node_modules', '.bin'))
  symlinkSync('../@x/cli/bin/agent.js', join(place, 'node_modules', '.bin', 'agent'))
  // The sandbox's user may not even enter this one.
  chmodSync(join(place, 'private'), 0o700)
  const outputs = ['node_modules/.bin/agent', ...programs.slice(1)].map(async (program) => {
    const { run } = await openSandbox()
    return (await run({ words: [join(place, program)] })).lines
  })
  expect(await Promise.all(outputs)).toEqual([['from a dependency 2', 'EROFS'], ['beside'], ['beside']])
})

test('a program in one of Docket’s folders or in a home folder is visible without the files beside it', async () => {
  const place = await writeFolder({
    'data/secret.txt': 'sesame',
    'data/agent': '#!/bin/sh\necho "$0"; ls -A "$(dirname "$0")"\n',
  })
  // Even one that only its owner may read.
  chmodSync(join(place, 'data', 'agent'), 0o700)
  for (const hidden of [place, join(place, 'data'), join(place, 'data', 'secret.txt')]) {
    const { run } = await openSandbox()
    const { lines } = await run({ words: [join(place, 'data', 'agent')], hidden: [hidden] })
    expect(lines).toEqual(['/opt/agent/bin/agent', 'agent'])
  }
})
