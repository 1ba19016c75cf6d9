import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { wordsOf } from '#agent-jobs/sandbox/command-line.ts'
import { runInSandbox } from '#agent-jobs/sandbox/run-in-sandbox.ts'
import { processesWith, whyNoSandbox } from '#testing/sandbox.ts'
import { folderOf, temporaryFolder } from '#testing/files.ts'

const reason = await whyNoSandbox()
beforeEach(({ skip }) => skip(reason !== null, `not run: ${reason}`))

/** What a shell script says when it runs in the sandbox. */
const inSandbox = async (script: string, more: { network?: boolean; signal?: AbortSignal; folder?: string } = {}) => {
  const { network = false, signal = AbortSignal.timeout(20_000), folder = await temporaryFolder() } = more
  const words = ['/bin/bash', '-c', script] as const
  return runInSandbox({ words: [...words], folder, network, hidden: [], input: 'the prompt\n' }, signal)
}

test('the command reaches no network unless it is allowed to, not even this machine', async () => {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const script = `(exec 5<>/dev/tcp/127.0.0.1/${(server.address() as AddressInfo).port}) 2>/dev/null && echo reached || echo closed`
  expect((await inSandbox(script)).lines).toEqual(['closed'])
  expect(connections).toBe(0)
  expect((await inSandbox(script, { network: true })).lines).toEqual(['reached'])
})

test('nothing outside the checkout can be written or read, and a private /tmp is gone with the command', async () => {
  const outside = await folderOf({ 'secret.txt': 'sesame' })
  const folder = await temporaryFolder()
  const places = [outside, '/tmp', '/usr', '/etc', '/', '/dev', '/dev/shm', '/var', '/home', folder]
  const script = [
    `cat ${outside}/secret.txt /etc/shadow /etc/passwd /root/.bashrc /proc/1/root/etc/shadow`,
    ...places.map((place) => `echo planted > ${place}/docket-planted`),
    `ln -s ${outside} link; echo planted > link/docket-planted`,
    'echo written > inside.txt',
  ].join('\n')
  const { lines } = await inSandbox(script, { folder })
  expect(lines.join('\n')).not.toMatch(/sesame|root:/)
  for (const place of places) expect(existsSync(join(place, 'docket-planted')), place).toBe(false)
  expect(readFileSync(join(folder, 'inside.txt'), 'utf8')).toBe('written\n')
})

test('the command gets the prompt and a fixed environment, and nothing of the environment of the service', async () => {
  process.env['DOCKET_TEST_SECRET'] = 'sesame'
  onTestFinished(() => void delete process.env['DOCKET_TEST_SECRET'])
  const { lines } = await inSandbox('cat; env; cat /proc/*/environ | tr "\\0" "\\n"; ls /proc | grep -c "^[0-9]"')
  expect(lines[0]).toBe('the prompt')
  expect(lines.join('\n')).not.toMatch(/sesame|DOCKET/)
  // It sees its own processes only.
  expect(Number(lines.at(-1))).toBeLessThan(8)
})

test('no right is left to gain: no capability, no namespace of its own, no other user', async () => {
  const { lines } = await inSandbox(
    'grep -E "Cap(Eff|Bnd)|NoNewPrivs" /proc/self/status; unshare -Ur true && echo made; id -u',
  )
  expect(lines.slice(0, 3).join(' ')).toMatch(/CapEff:\s*0+ CapBnd:\s*0+ NoNewPrivs:\s*1/)
  expect(lines).not.toContain('made')
  expect(lines.at(-1)).toBe('1000')
})

test('what the command left behind is gone when it ends, and all of it when it is stopped, however it was detached', async () => {
  const marker = `86${Date.now()}`
  const detached = `(setsid bash -c 'exec </dev/null >/dev/null 2>&1; trap "" TERM HUP; sleep ${marker} & sleep ${marker}' &)`
  await inSandbox(`${detached}; sleep 0.1`)
  expect(processesWith(marker)).toEqual([])
  const stop = new AbortController()
  const folder = await temporaryFolder()
  const running = inSandbox(`${detached}; touch begun; sleep ${marker}`, { signal: stop.signal, folder })
  while (!existsSync(join(folder, 'begun'))) await sleep(20)
  expect(processesWith(marker)).not.toEqual([])
  stop.abort(new Error('Enough.'))
  await expect(running).rejects.toThrow('Enough.')
  expect(processesWith(marker)).toEqual([])
})

test('output without end is cut, and what would move a cursor or hide text is taken out', async () => {
  const { lines } = await inSandbox(
    'yes "a line of it" | head -n 100000; printf "\\033[31mred\\033[0m \\033]0;title\\a\\u202Eend\\b\\n"',
  )
  expect(lines.length).toBeLessThanOrEqual(201)
  expect(lines[0]).toBe('…')
  expect(lines.at(-1)).toBe('red end')
})

test('a file cannot grow without bounds', async () => {
  const folder = await temporaryFolder()
  await inSandbox('head -c 300000000 /dev/zero > big; true', { folder })
  expect(execFileSync('stat', ['-c', '%s', join(folder, 'big')], { encoding: 'utf8' }).trim()).toBe('268435456')
})

test('a program elsewhere is seen alone, without what lies beside it', async () => {
  const place = await folderOf({
    'beside.txt': 'sesame',
    'agent.sh': '#!/bin/sh\ncat "$(dirname "$0")/beside.txt"; ls -A "$(dirname "$0")"\n',
  })
  await writeFile(join(place, 'agent.sh'), readFileSync(join(place, 'agent.sh')), { mode: 0o755 })
  execFileSync('chmod', ['755', join(place, 'agent.sh')])
  const folder = join(await temporaryFolder(), 'tree')
  await mkdir(folder)
  const order = { words: wordsOf(`"${place}/agent.sh"`), folder, network: false, hidden: [], input: '' }
  const { lines } = await runInSandbox(order, AbortSignal.timeout(20_000))
  expect(lines.join('\n')).not.toContain('sesame')
  expect(lines.at(-1)).toBe('agent.sh')
})
