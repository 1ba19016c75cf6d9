/** Regular expression for paths that readers of a site don't get: a remark list, and files that hosts, git and Docket read. Any case. */
export const hiddenPath = String.raw`(?:export-report\.json|_(?:redirects|headers|routes\.json|worker\.js)|netlify\.toml|vercel\.json|(?:[\s\S]*/)?\.(?:git(?:ignore|attributes)?|ht(?:access|passwd)|docket[^/]*)(?:/[\s\S]*)?)`

const hidden = new RegExp(`^${hiddenPath}$`, 'i')

export const isHidden = (path: string): boolean => hidden.test(path)

/** True for a file with which Netlify, Cloudflare Pages or Vercel are configured. They read it from a git branch, and at its root. */
export const isHostRule = (path: string): boolean =>
  /^(?:_redirects|_headers|_routes\.json|_worker\.js|netlify\.toml|vercel\.json)$/i.test(path)

/** True for a file that no delivery needs. */
export const isLeftOut = (path: string): boolean => /^export-report\.json$|(^|\/)\.git(ignore|attributes)$/i.test(path)

/** The same as `hiddenPath` for the AWS CLI, whose `*` stands for slashes, too. */
export const hiddenPatterns = [
  'export-report.json',
  '_redirects',
  '_headers',
  '_routes.json',
  '_worker.js',
  'netlify.toml',
  'vercel.json',
  ...['.gitignore', '.gitattributes', '.git', '.git/*', '.htaccess', '.htpasswd', '.docket*'].flatMap((name) => [
    name,
    `*/${name}`,
  ]),
]
