/** Files with which Netlify, Cloudflare Pages and Vercel are configured. They read them from a git branch, and at its root. */
const hostRules = ['_redirects', '_headers', '_routes.json', '_worker.js', 'netlify.toml', 'vercel.json']
const escape = (names: readonly string[]) => names.join('|').replaceAll('.', String.raw`\.`)

/** Regular expression for paths that readers of a site don't get: a remark list, and files that hosts, git and Docket read. Any case. */
export const hiddenPath = String.raw`(?:${escape(['export-report.json', ...hostRules])}|(?:[\s\S]*/)?\.(?:git(?:ignore|attributes)?|ht(?:access|passwd)|docket[^/]*)(?:/[\s\S]*)?)`

const hidden = new RegExp(`^${hiddenPath}$`, 'i')

export const isHidden = (path: string): boolean => hidden.test(path)

export const isHostRule = (path: string): boolean => hostRules.includes(path.toLowerCase())

/** True for a file that no delivery needs. */
export const isLeftOut = (path: string): boolean => /^export-report\.json$|(^|\/)\.git(ignore|attributes)$/i.test(path)

/** The same as `hiddenPath` for the AWS CLI, whose `*` stands for slashes, too. */
export const hiddenPatterns = [
  'export-report.json',
  ...hostRules,
  ...['.gitignore', '.gitattributes', '.git', '.git/*', '.htaccess', '.htpasswd', '.docket*'].flatMap((name) => [
    name,
    `*/${name}`,
  ]),
]
