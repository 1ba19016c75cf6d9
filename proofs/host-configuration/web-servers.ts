import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { onEnd } from '#bench/harness/cleanup.ts'
import { plainEnvironment } from '#apps/bff/src/testing/launch.ts'
import { freePort } from '#bench/harness/processes.ts'
import { temporaryFolder } from '#proofs/harness/docket.ts'

/** Host name in the configurations. */
export const hostName = 'docs.example.com'

/** A web server of Debian, and the only change to its configuration: the port. */
type WebServer = {
  program: string
  package: string
  /** Writes what surrounds the configuration, and answers with the arguments. */
  args: (folder: string, configuration: string, port: number) => string[]
}

const write = (folder: string, name: string, text: string) => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

const replaceOnce = (text: string, piece: string, instead: string) => {
  if (text.split(piece).length !== 2) throw new Error(`The configuration does not hold this exactly once: ${piece}`)
  return text.replace(piece, () => instead)
}

const asRoot = process.getuid?.() === 0

const apacheModules = [
  'mpm_event',
  'authz_core',
  'dir',
  'mime',
  'rewrite',
  'headers',
  'filter',
  'deflate',
  'alias',
  'include',
]

/** The web servers whose configuration is proved. */
export const webServers: Readonly<Record<'nginx' | 'caddy' | 'apache', WebServer>> = {
  nginx: {
    program: 'nginx',
    package: 'nginx-light',
    args: (folder, configuration, port) => {
      write(folder, 'site.conf', replaceOnce(configuration, 'listen 80;', `listen 127.0.0.1:${port};`))
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      )
      const http = `${temporary.join(' ')} access_log off; include ${folder}/site.conf;`
      const text = `${asRoot ? 'user root;' : ''} pid ${folder}/nginx.pid; events {} http { ${http} }\n`
      return [
        '-p',
        folder,
        '-c',
        write(folder, 'nginx.conf', text),
        '-e',
        join(folder, 'error.log'),
        '-g',
        'daemon off;',
      ]
    },
  },
  caddy: {
    program: 'caddy',
    package: 'caddy',
    args: (folder, configuration, port) => {
      const text = replaceOnce(configuration, `\n${hostName} {`, `\nhttp://${hostName}:${port} {`)
      return ['run', '--adapter', 'caddyfile', '--config', write(folder, 'Caddyfile', `{\n\tadmin off\n}\n${text}`)]
    },
  },
  apache: {
    program: 'apache2',
    package: 'apache2',
    args: (folder, configuration, port) => {
      write(folder, 'site.conf', replaceOnce(configuration, 'VirtualHost *:80', `VirtualHost 127.0.0.1:${port}`))
      const modules = apacheModules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
      const text = [
        ...modules,
        `ServerRoot ${folder}`,
        `ServerName ${hostName}`,
        `PidFile ${folder}/apache.pid`,
        `DefaultRuntimeDir ${folder}`,
        `ErrorLog ${folder}/error.log`,
        `Listen 127.0.0.1:${port}`,
        ...(asRoot ? ['User www-data', 'Group www-data'] : []),
        'TypesConfig /etc/mime.types',
        '<Directory />\n  Require all denied\n</Directory>',
        'AddEncoding x-gzip .gz .tgz',
        'AddOutputFilter INCLUDES .shtml',
        'AddHandler cgi-script .php',
        `Include ${folder}/site.conf`,
        '',
      ].join('\n')
      return ['-f', write(folder, 'apache.conf', text), '-DFOREGROUND']
    },
  },
}

const findProgram = (name: string): string | undefined =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'].map((folder) => join(folder, name)).find(existsSync)

/** Packages of Debian that are missing. */
export const missingPackages = (): string[] =>
  Object.values(webServers).flatMap((server) => (findProgram(server.program) === undefined ? [server.package] : []))

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('close', () => socket.destroy())
    setTimeout(() => socket.end(), 10)
  })

/** Starts a web server with a configuration. Throws with what it printed when it ends, as with an invalid one. */
export const startWebServer = async (
  { program, args }: WebServer,
  configuration: string,
): Promise<{ port: number; stop: () => Promise<void> }> => {
  const folder = temporaryFolder()
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, 'home'))
  const port = await freePort()
  const child = spawn(findProgram(program) ?? program, args(folder, configuration, port), {
    env: { ...plainEnvironment(), HOME: join(folder, 'home'), XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = once(child, 'exit')
  const stop = onEnd(async () => {
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), 5_000)
    await ended
    clearTimeout(late)
  })
  while (!(await accepts(port))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${program} ended:\n${output}`)
    await delay(20)
  }
  return { port, stop }
}
