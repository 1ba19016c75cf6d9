import { execFile, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { once } from 'node:events'
import { onEnd } from './cleanup.ts'
import { freePort, type BenchProcess } from './processes.ts'

const run = promisify(execFile)

/** Such as `1.22.1`; null when it is not installed. */
export const nginxVersion = async (): Promise<string | null> => {
  const answer = await run('nginx', ['-v']).catch(() => null)
  return answer === null ? null : (/nginx\/(\S+)/.exec(answer.stderr)?.[1] ?? 'unknown')
}

const connects = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1')
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy())
}

/**
 * Starts an nginx with one worker on a free port. `server` is what stands in its `server` block, `http` beside it,
 * `listen` after the port.
 */
export const startNginx = async (
  folder: string,
  name: string,
  { server, http = '', listen = '' }: { server: string; http?: string; listen?: string },
): Promise<BenchProcess> => {
  const home = join(folder, name)
  mkdirSync(join(home, 'temporary'), { recursive: true })
  const port = await freePort()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${home}/temporary;`)
    .join('\n')
  writeFileSync(
    join(home, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1; daemon off; pid ${home}/pid; error_log ${home}/errors.log;
events { worker_connections 4096; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; ${temporary}
  ${http}
  server { listen 127.0.0.1:${port} ${listen}; ${server} }
}
`,
  )
  const child = spawn('nginx', ['-p', home, '-e', `${home}/errors.log`, '-c', join(home, 'nginx.conf')], {
    stdio: 'ignore',
    detached: true,
  })
  const stop = onEnd(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
  const address = `http://127.0.0.1:${port}`
  for (let tries = 0; ; tries += 1) {
    if (child.exitCode !== null || tries > 200) throw new Error(`nginx did not start; see ${home}/errors.log`)
    const answers = await connects(port)
    if (answers) return { readOutput: () => '', pid: child.pid!, address, stop }
    await delay(25)
  }
}
