import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const port = process.env.PORT ?? '3000'

const start = (cwd: string, args: string[]): ChildProcess =>
  spawn(process.execPath, args, {
    cwd,
    stdio: 'inherit',
    env: { ...process.env, PORT: port, DOCKET_URL: `http://127.0.0.1:${port}` },
  })

/** The server restarts when its code changes; the page is served by Vite and changes in place. */
const children = [
  start(root, ['--watch', '--watch-preserve-output', 'apps/bff/src/main.ts']),
  start(join(root, 'apps/web'), ['node_modules/vite/bin/vite.js', '--clearScreen', 'false']),
]

const stop = () => {
  for (const child of children) child.kill('SIGTERM')
}
process.on('SIGINT', stop).on('SIGTERM', stop)
// One without the other is of no use.
for (const child of children) child.on('exit', stop)
