import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@docket/sources/testing/files'
import { beforeEach, expect, test } from 'vitest'
import { sandboxLimits } from '#limits.ts'
import { openSandbox, whyNoSandbox } from '#testing/open-sandbox.ts'
import { findDiskExcess, isAlmostFull } from './watch-usage.ts'

const reason = await whyNoSandbox()
beforeEach(({ skip }) => skip(reason !== null, `not run: ${reason}`))

const limits = { ...sandboxLimits, tasks: 60, memory: 96 * 1024 ** 2, checkout: 1024 ** 2, entries: 100, freeDisk: 0 }

test('a fork bomb stays below twice the process limit, and ends the job with a readable message', async () => {
  const { shell, checkout } = await openSandbox()
  // Bounded: without limits it ends by itself. Writes a byte for each process, because a slow machine stops it on its way.
  const bomb = `perl -e '
    open my $file, ">", "started";
    for (1 .. 400) { my $child = fork; last unless defined $child; if (!$child) { sleep 20; exit } syswrite $file, "." }
    sleep 20'`
  await expect(shell(bomb, { limits })).rejects.toThrow(
    'The command was stopped: it started more than 60 processes and threads.',
  )
  expect(readFileSync(join(checkout, 'started')).length).toBeLessThanOrEqual(120)
})

test('threads count towards the process limit', async () => {
  const { node } = await openSandbox()
  const threads = `
    const { Worker } = require('node:worker_threads')
    for (let n = 0; n < 20; n += 1) new Worker('setTimeout(() => {}, 20_000)', { eval: true }).on('error', () => {})`
  await expect(node(threads, { limits: { ...sandboxLimits, tasks: 25 } })).rejects.toThrow(
    'it started more than 25 processes and threads',
  )
})

test.each([
  ['one process', 'const all = []; for (let n = 0; n < 40; n += 1) all.push(Buffer.alloc(8e6, 1))'],
  [
    'several processes together',
    `const { spawn } = require('node:child_process')
     for (let n = 0; n < 3; n += 1) spawn(process.execPath, ['-e', 'globalThis.x = Buffer.alloc(4e7, 1); setTimeout(() => {}, 20_000)'])`,
  ],
])('memory has a limit: %s', async (_, script) => {
  const { node } = await openSandbox()
  await expect(node(`${script}; setTimeout(() => {}, 20_000)`, { limits })).rejects.toThrow(tooMuchMemory)
})

test.skipIf(!existsSync('/usr/bin/python3'))(
  'memory of a process counts even if its main thread has ended',
  async () => {
    const { shell } = await openSandbox()
    await expect(shell(endedMainThread, { limits })).rejects.toThrow(tooMuchMemory)
  },
)

const tooMuchMemory = 'The command was stopped: it used more than 96 MB of memory.'

const endedMainThread = `/usr/bin/python3 -c "
import ctypes, threading, time
def fill():
    time.sleep(0.5)
    data = bytearray(200_000_000)
    time.sleep(20)
threading.Thread(target=fill).start()
ctypes.CDLL(None).syscall(${process.arch === 'arm64' ? 93 : 60}, 0)
"`

/** Folders nested beyond the longest path that the kernel takes, and something done in the last of them. */
const deep = (levels: number, script: string) =>
  `for n in $(seq ${levels}); do mkdir ${'d'.repeat(250)} && cd $_; done; ${script}`

test('files in folders too deep for a path are counted', async () => {
  const small = await openSandbox()
  await small.shell(deep(40, 'echo x > x.md'), { limits })
  expect(await findDiskExcess(small.checkout, limits)).toBeNull()
  const big = await openSandbox()
  await expect(big.shell(deep(40, 'head -c 2000000 /dev/urandom > big; sleep 20'), { limits })).rejects.toThrow(
    'The command was stopped: it wrote more than 1 MB or 100 files and folders.',
  )
})

test('folders too deep to be counted still fall under the disk limit', async () => {
  const { shell } = await openSandbox()
  await expect(shell(deep(150, 'sleep 20'), { limits: sandboxLimits })).rejects.toThrow(
    'The command was stopped: it made a folder whose files cannot be counted.',
  )
})

test('files, folders and bytes are counted, except those that disappear meanwhile', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'sub'))
  await symlink('nowhere', join(folder, 'sub', 'link'))
  expect(await findDiskExcess(folder, limits)).toBeNull()
  expect(await findDiskExcess(join(folder, 'gone'), limits)).toBeNull()
  const tooMuch = 'The command was stopped: it wrote more than 1 MB or 100 files and folders.'
  await writeFile(join(folder, 'sub', 'big'), Buffer.alloc(2 * 1024 ** 2, 1))
  expect(await findDiskExcess(folder, limits)).toBe(tooMuch)
  await rm(join(folder, 'sub', 'big'))
  for (let number = 0; number < 100; number += 1) await mkdir(join(folder, `${number}`))
  expect(await findDiskExcess(folder, limits)).toBe(tooMuch)
})

test('one gigabyte of the machine’s disk, or a tenth of a small disk, always stays free', () => {
  const disk = (bytes: number, free: number) =>
    isAlmostFull({ bsize: 4096, blocks: bytes / 4096, bavail: free / 4096 }, 1e9)
  expect([disk(1e12, 9e8), disk(1e12, 2e9), disk(1e9, 9e7), disk(1e9, 2e8)]).toEqual([true, false, true, false])
})
