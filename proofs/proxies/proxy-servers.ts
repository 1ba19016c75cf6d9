import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { onEnd } from '#bench/harness/cleanup.ts'
import { plainEnvironment } from '#apps/bff/src/testing/launch.ts'
import { freePort } from '#bench/harness/processes.ts'
import { temporaryFolder } from '#proofs/harness/docket.ts'
import { withFault, type Fault } from '#proofs/harness/plant.ts'

/** Host name in the files of `deploy/`. */
export const hostName = 'docket.example.com'

/** Names of hosted sites in the files of `deploy/`: a wildcard for `HOSTING_URL`, and the hostname of one channel. */
export const hostedNames = { wildcard: '*.docs.example', channel: 'manual.acme.example' } as const

/** A proxy that runs with a file of `deploy/`. */
export type RunningProxy = {
  httpPort: number
  httpsPort: number
  /** Its certificates: one for Docket, and one for hosted sites. */
  certificates: string[]
  /** Everything it logged and printed so far. */
  readLog: () => string
  stop: () => Promise<void>
}

type Edit = [piece: string, text: string]
type Place = { folder: string; httpPort: number; httpsPort: number; docketPort: number; deadPorts: number[] }

/**
 * A proxy of Debian, and the only changes to its files: ports, paths, replicas that don't answer, and the lines for hosted sites that are
 * comments.
 */
type ProxyKind = {
  program: string
  package: string
  files: string[]
  edits: (place: Place) => Edit[]
  /** Writes the other files that it needs; answers with its arguments. */
  args: (place: Place, file: string) => string[]
}

const write = (file: string, text: string): string => {
  writeFileSync(file, text, { mode: 0o600 })
  return file
}

/** Every proxy that `deploy/` has a file for. */
export const proxyKinds: Readonly<Record<string, ProxyKind>> = {
  nginx: {
    program: 'nginx',
    package: 'nginx-light',
    files: ['deploy/nginx/docket.conf', 'deploy/nginx/hosted-sites.conf'],
    edits: ({ folder, httpPort, httpsPort, docketPort, deadPorts }) => [
      ['listen 80;', `listen 127.0.0.1:${httpPort};`],
      ['listen [::]:80;', ''],
      ['listen 443 ssl', `listen 127.0.0.1:${httpsPort} ssl`],
      ['listen [::]:443 ssl http2;', ''],
      ['server 127.0.0.1:3000;', `server 127.0.0.1:${docketPort};`],
      ...deadPorts.map((port, at): Edit => [`# server 10.0.0.${at + 12}:3000;`, `server 127.0.0.1:${port};`]),
      ['/etc/nginx/', `${folder}/`],
      ['/var/log/nginx/', `${folder}/`],
    ],
    args: ({ folder }, file) => {
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      )
      const user = process.getuid?.() === 0 ? 'user root;\n' : ''
      const text = `${user}pid ${folder}/nginx.pid;\nevents {}\nhttp { ${temporary.join(' ')} include ${file}; }\n`
      const main = write(join(folder, 'nginx.conf'), text)
      return ['-p', folder, '-c', main, '-e', join(folder, 'docket-error.log'), '-g', 'daemon off;']
    },
  },
  caddy: {
    program: 'caddy',
    package: 'caddy',
    files: ['deploy/caddy/Caddyfile'],
    edits: ({ folder, docketPort, deadPorts }) => [
      ['{$DOCKET_ADDRESS:127.0.0.1:3000}', [docketPort, ...deadPorts].map((port) => `127.0.0.1:${port}`).join(' ')],
      // The block for hosted sites.
      ['\n# *.docs.example', '\n*.docs.example'],
      ['\n# \ttls', '\n\ttls'],
      ['\n# \timport', '\n\timport'],
      ['\n# }', '\n}'],
      ['/etc/caddy/', `${folder}/`],
      ['/var/log/caddy/', `${folder}/`],
    ],
    args: ({ folder, httpPort, httpsPort }, file) => {
      const options = `admin off\n\thttp_port ${httpPort}\n\thttps_port ${httpsPort}`
      const main = write(join(folder, 'main.Caddyfile'), `{\n\t${options}\n}\nimport ${file}\n`)
      return ['run', '--adapter', 'caddyfile', '--config', main]
    },
  },
  haproxy: {
    program: 'haproxy',
    package: 'haproxy',
    files: ['deploy/haproxy/haproxy.cfg'],
    edits: ({ folder, httpPort, httpsPort, docketPort, deadPorts }) => [
      ['log /dev/log local0', 'log stdout format raw local0'],
      ['bind :80', `bind 127.0.0.1:${httpPort}`],
      ['bind :443', `bind 127.0.0.1:${httpsPort}`],
      ['ssl crt /etc/haproxy/docket.pem', 'ssl crt /etc/haproxy/docket.pem crt /etc/haproxy/hosted-sites.pem'],
      ['/etc/haproxy/', `${folder}/`],
      ['server docket1 127.0.0.1:3000', `server docket1 127.0.0.1:${docketPort}`],
      ...deadPorts.map((port, at): Edit => {
        const name = `server docket${at + 2}`
        return [`# ${name} 10.0.0.${at + 12}:3000`, `${name} 127.0.0.1:${port}`]
      }),
    ],
    args: (_, file) => ['-db', '-f', file],
  },
}

const findProgram = (name: string): string | undefined =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'].map((folder) => join(folder, name)).find(existsSync)

/** Packages of Debian that are missing for these proxies. */
export const missingPackages = (): string[] =>
  [...Object.values(proxyKinds), { program: 'openssl', package: 'openssl' }].flatMap((kind) =>
    findProgram(kind.program) === undefined ? [kind.package] : [],
  )

const edit = (text: string, [piece, replacement]: Edit): string => {
  if (!text.includes(piece)) throw new Error(`The file of deploy/ does not hold: ${piece}`)
  return text.replaceAll(piece, replacement)
}

/**
 * Writes a self-signed certificate for host names: `<name>.key`, and `<name>.pem` with the key as well, as HAProxy needs it. Answers with the
 * certificate.
 */
const writeCertificate = async (folder: string, name: string, hostNames: readonly string[]): Promise<string> => {
  const key = join(folder, `${name}.key`)
  const alternatives = hostNames.map((host) => `DNS:${host}`).join(',')
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=${alternatives}`]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  const out = ['-keyout', key, '-out', join(folder, `${name}.crt`)]
  await promisify(execFile)('openssl', ['req', ...kind, ...out, ...subject])
  const certificate = readFileSync(join(folder, `${name}.crt`), 'utf8')
  write(join(folder, `${name}.pem`), certificate + readFileSync(key, 'utf8'))
  return certificate
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('close', () => socket.destroy())
    setTimeout(() => socket.end(), 10)
  })

/**
 * Starts a proxy in front of the Docket on `docketPort` and of so many replicas that don't answer, at most two. Throws
 * with what it printed when it ends.
 */
export const startProxy = async (
  kind: ProxyKind,
  docketPort: number,
  { deadReplicas, faults }: { deadReplicas: number; faults: readonly Fault[] },
): Promise<RunningProxy> => {
  const folder = temporaryFolder()
  const [httpPort, httpsPort] = [await freePort(), await freePort()]
  const deadPorts = await Promise.all(Array.from({ length: deadReplicas }, () => freePort()))
  const place: Place = { folder, httpPort, httpsPort, docketPort, deadPorts }
  const certificates = [
    await writeCertificate(folder, 'docket', [hostName]),
    await writeCertificate(folder, 'hosted-sites', Object.values(hostedNames)),
  ]
  const read = (path: string) =>
    faults
      .filter(({ file }) => path.endsWith(file))
      .reduce(withFault, readFileSync(join(import.meta.dirname, '..', '..', path), 'utf8'))
  const broken = kind.files.map(read).join('\n')
  mkdirSync(join(folder, 'file'))
  const file = write(join(folder, 'file', 'docket.conf'), kind.edits(place).reduce(edit, broken))
  const child = spawn(findProgram(kind.program) ?? kind.program, kind.args(place, file), {
    env: { ...plainEnvironment(), HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
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
  while (!(await accepts(httpsPort))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${kind.program} ended:\n${output}`)
    await delay(50)
  }
  const logs = ['docket', 'hosted-sites'].flatMap((name) =>
    [`${name}.log`, `${name}-error.log`].map((log) => join(folder, log)),
  )
  const readLog = () => [output, ...logs.filter(existsSync).map((log) => readFileSync(log, 'utf8'))].join('\n')
  return { httpPort, httpsPort, certificates, readLog, stop }
}
