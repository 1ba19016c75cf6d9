import { execFileSync, spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGunzip } from 'node:zlib'
import { onTestFinished } from 'vitest'

/** Answers a request, or returns `false` to pass it on. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => boolean

/** Starts an HTTP server on loopback, which is closed after the test. */
export const startServer = async (handle: (request: IncomingMessage, response: ServerResponse) => void) => {
  const server: Server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

const gitEnv = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
}

/** Runs git as a user with access to the server. */
export const gitAt = (gitDir: string, args: readonly string[], input = ''): string =>
  execFileSync('git', ['--git-dir', gitDir, '-c', 'user.name=x', '-c', 'user.email=x@localhost', ...args], {
    input,
    encoding: 'utf8',
    env: gitEnv,
  }).trim()

/** Creates a bare repository with one commit of these files on `main`. */
export const bareRepository = async (gitDir: string, files: Readonly<Record<string, string>>): Promise<string> => {
  execFileSync('git', ['init', '--quiet', '--bare', '--template=', '--initial-branch=main', gitDir], { env: gitEnv })
  commitTo(gitDir, 'main', files, { from: null })
  return gitDir
}

/**
 * Commits exactly these files to a branch, like a push by another person, and returns the hash. Builds on the branch's
 * head, or on `from` (null for no parent). Paths may hold any byte but NUL.
 */
export const commitTo = (
  gitDir: string,
  branch: string,
  files: Readonly<Record<string, string>>,
  { message = 'x', author = 'x', from }: { message?: string; author?: string; from?: string | null } = {},
): string => {
  const parent = from === undefined ? readHead(gitDir, branch) : from && gitAt(gitDir, ['rev-parse', from])
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`
  const stream = [
    `commit refs/heads/${branch}\nmark :1\ncommitter ${author} <x@localhost> 1767225600 +0000\n${data(message)}`,
    parent === null ? '' : `from ${parent}\n`,
    'deleteall\n',
    ...Object.entries(files).map(([path, text]) => `M 100644 inline ${quotePath(path)}\n${data(text)}`),
    'get-mark :1\n',
  ]
  // Forced, because a test may move a branch to any commit.
  return gitAt(gitDir, ['fast-import', '--quiet', '--force'], stream.join(''))
}

const readHead = (gitDir: string, branch: string): string | null => {
  const ref = `refs/heads/${branch}`
  return gitAt(gitDir, ['for-each-ref', '--format=%(objectname)', ref]) || null
}

const quotePath = (path: string) =>
  `"${path
    .replaceAll(/["\\]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\r', String.raw`\r`)}"`

/** Serves the repositories below `root` like a code host, with git's own program, and requires a password for everything. */
export const gitOverHttp =
  (root: string, { password, before }: { password: string | (() => string); before: () => Promise<void> }): Handler =>
  (request, response) => {
    const url = new URL(request.url ?? '/', 'http://x')
    if (!/\.git\/(info\/refs|git-(upload|receive)-pack)$/.test(url.pathname)) return false
    const credentials = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (Buffer.from(credentials, 'base64').toString() !== (typeof password === 'string' ? password : password())) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
      return true
    }
    void before().then(() => answerWithGit(root, url, request, response))
    return true
  }

const answerWithGit = (root: string, url: URL, request: IncomingMessage, response: ServerResponse) => {
  const backend = spawn('git', ['-c', 'http.receivepack=true', 'http-backend'], {
    env: {
      ...gitEnv,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      REMOTE_USER: 'agent',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const body = request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request
  backend.stdin.on('error', () => {})
  body.pipe(backend.stdin)
  let head = Buffer.alloc(0)
  let hasBegun = false
  backend.stdout.on('data', (chunk: Buffer) => {
    if (hasBegun) return void response.write(chunk)
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return
    hasBegun = true
    const fields = head.subarray(0, end).toString().split('\r\n')
    const status = Number(/^Status: (\d+)/m.exec(fields.join('\n'))?.[1] ?? 200)
    for (const field of fields) {
      const [name = '', value = ''] = field.split(/: ?(.*)/s)
      if (name.toLowerCase() !== 'status') response.setHeader(name, value)
    }
    response.writeHead(status)
    response.write(head.subarray(end + 4))
  })
  backend.on('close', () => response.end())
}
