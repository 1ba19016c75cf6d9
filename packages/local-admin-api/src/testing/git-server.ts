import { execFileSync, spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { onTestFinished } from 'vitest'

/** Answers one request, or says with `false` that it is not for it. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => boolean

/** An HTTP server on loopback with what it was asked; closed with the test. */
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

/** git as a person with rights on the server would use it. */
export const gitAt = (gitDir: string, args: readonly string[], input = ''): string =>
  execFileSync('git', ['--git-dir', gitDir, '-c', 'user.name=x', '-c', 'user.email=x@localhost', ...args], {
    input,
    encoding: 'utf8',
    env: gitEnv,
  }).trim()

/** A bare repository with one commit on `main` that holds these files. */
export const bareRepository = async (gitDir: string, files: Readonly<Record<string, string>>): Promise<string> => {
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', gitDir], { env: gitEnv })
  gitAt(gitDir, ['config', 'http.receivepack', 'true'])
  commitTo(gitDir, 'main', files)
  return gitDir
}

/** Puts a commit with exactly these files on a branch, as somebody else's push would. */
export const commitTo = (gitDir: string, branch: string, files: Readonly<Record<string, string>>): string => {
  const env = { ...gitEnv, GIT_INDEX_FILE: join(gitDir, 'test.index') }
  const git = (args: readonly string[], input = '') =>
    execFileSync('git', ['--git-dir', gitDir, '-c', 'user.name=x', '-c', 'user.email=x@localhost', ...args], {
      input,
      encoding: 'utf8',
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
    }).trim()
  git(['read-tree', '--empty'])
  for (const [path, text] of Object.entries(files)) {
    const blob = git(['hash-object', '-w', '--stdin'], text)
    git(['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`])
  }
  const parent = (() => {
    try {
      return ['-p', git(['rev-parse', '--verify', `refs/heads/${branch}`])]
    } catch {
      return []
    }
  })()
  const commit = git(['commit-tree', git(['write-tree']), ...parent, '-m', 'x'])
  git(['update-ref', `refs/heads/${branch}`, commit])
  return commit
}

/** Serves the repositories below `root` as a code host does: git's own program, behind a password for everything. */
export const gitOverHttp =
  (root: string, { password, before }: { password: string; before: () => Promise<void> }): Handler =>
  (request, response) => {
    const url = new URL(request.url ?? '/', 'http://x')
    if (!/\.git\/(info\/refs|git-(upload|receive)-pack)$/.test(url.pathname)) return false
    const sent = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (Buffer.from(sent, 'base64').toString() !== password) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
      return true
    }
    void before().then(() => answerWithGit(root, url, request, response))
    return true
  }

const answerWithGit = (root: string, url: URL, request: IncomingMessage, response: ServerResponse) => {
  const backend = spawn('git', ['http-backend'], {
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
  let begun = false
  backend.stdout.on('data', (chunk: Buffer) => {
    if (begun) return void response.write(chunk)
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return
    begun = true
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
