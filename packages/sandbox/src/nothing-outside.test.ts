import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { openSandbox, whyNoSandbox } from '#testing/open-sandbox.ts'

const reason = await whyNoSandbox()
beforeEach(({ skip }) => skip(reason !== null, `not run: ${reason}`))

/**
 * Opens every file that it can see for writing, creates a file in every folder, and prints the paths where that worked.
 */
const writeEverywhere = String.raw`
const fs = require('node:fs')
Error.stackTraceLimit = 0
const { O_WRONLY, O_APPEND, O_NONBLOCK, O_CREAT } = fs.constants
const own = ['/work', '/tmp', '/dev/shm', '/dev/pts', '/dev/ptmx', '/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom', '/dev/tty', '/dev/console']
let tried = 0
const tryOpen = (path, flags) => {
  tried += 1
  try { fs.closeSync(fs.openSync(path, flags, 0o600)); console.log('writable: ' + path) } catch {}
}
const folders = ['/']
for (let folder; (folder = folders.pop()); ) {
  tryOpen(folder + '/docket-planted', O_WRONLY | O_CREAT)
  let entries = []
  try { entries = fs.readdirSync(folder, { withFileTypes: true }) } catch {}
  for (const entry of entries) {
    const path = (folder === '/' ? '' : folder) + '/' + entry.name
    if (own.includes(path) || entry.isSymbolicLink()) continue
    if (entry.isDirectory()) folders.push(path)
    else tryOpen(path, O_WRONLY | O_APPEND | O_NONBLOCK)
  }
}
console.log('tried ' + tried)`

const another = { uid: 65_534, gid: 65_534 }
const users = [
  { name: 'its usual user', options: {} },
  ...(process.getuid?.() === 0 ? [{ name: 'nobody', options: { pickUser: () => Promise.resolve(another) } }] : []),
]

test.each(users)('$name can write only to the checkout and its own folders', async ({ options }) => {
  const { node } = await openSandbox()
  const lines = await node(writeEverywhere, options)
  expect(lines.slice(0, -1)).toEqual([])
  // Proves that it looked: kernel settings alone are more than a thousand files.
  expect(Number(lines.at(-1)?.replace('tried ', ''))).toBeGreaterThan(1000)
})

test('the mounts reveal no host paths except system folders and one random folder', async () => {
  const { shell, checkout } = await openSandbox()
  const mounts = (await shell('cat /proc/self/mountinfo')).map((line) => line.split(' '))
  const roots = mounts.map(([, , , root = '', at = '']) => ({ root, at }))
  const own = /^(\/|\/newroot|\/(null|zero|full|random|urandom|tty))$/
  const fromHost = roots.filter(({ root }) => !own.test(root))
  // A temporary folder may be a mount of its own outside.
  const work = fromHost.find(({ at }) => at === '/work')
  expect(checkout.endsWith(work?.root ?? 'no mount')).toBe(true)
  const docket = fromHost.find(({ at }) => at === '/run/docket')
  expect(join(checkout, '..', 'docket').endsWith(docket?.root ?? 'no mount')).toBe(true)
  for (const { root, at } of fromHost.filter(({ at: place }) => place !== '/work' && place !== '/run/docket')) {
    expect(root.endsWith(at), `${root} at ${at}`).toBe(true)
    expect(at).toMatch(/^\/(usr|bin|sbin|lib\w*|etc\/alternatives)$/)
  }
})

test('the sandbox’s /etc contains only a few host settings and some of its own', async () => {
  const { shell } = await openSandbox()
  const [cache = '', ...names] = await shell('sha256sum < /etc/ld.so.cache; ls /etc')
  expect(names).toEqual(
    [
      'alternatives',
      'group',
      'hosts',
      'ld.so.cache',
      'localtime',
      'mime.types',
      'nsswitch.conf',
      'passwd',
      'timezone',
    ].filter((name) => existsSync(join('/etc', name))),
  )
  const expected = createHash('sha256').update(readFileSync('/etc/ld.so.cache')).digest('hex')
  expect(cache).toBe(`${expected}  -`)
})
