import { codeHostsFile, pullRequestVariables } from './pull-request-variables.ts'
import { optional, s3Variables, secret, withDefault } from './variable.ts'
import * as value from './values.ts'

/** Code hosts whose API the local Admin API can open pull requests through. */
export const codeHostKinds = ['github', 'gitlab', 'gitea'] as const

/** Variables of the local Admin API. Only `LOCAL_ADMIN_API` and `LOCAL_SITES` decide whether it runs. */
export const localVariables = {
  LOCAL_ADMIN_API: optional(value.yesOrNo, {
    about:
      'Whether Docket runs its own local Admin API on folders of this machine. By default, it runs with `LOCAL_SITES`, while no other service is connected, and on as before once it ran; Settings › Connections says which, and admins switch it there. `ADMIN_API_URL` ends it unless it has exports or agent jobs. `true`: always. `false`: never; without any connection, Docket says that no service is connected.',
    example: 'true',
  }),
  LOCAL_SITES: optional(value.sites, {
    about:
      'Sites of the local Admin API as `domain=source`, separated by commas or new lines. A source is a folder, a git repository (`git+https://host/path.git#branch:folder`, or `git+file://`), or the https address of a documentation site to mirror; `built=` before a folder, an archive (with `#sha256=…` at an https address) or a git repository takes a site as its generator built it. Keeps the local Admin API running next to other services, unless `LOCAL_ADMIN_API` is `false`.',
    byDefault: "docs.localhost with Docket's own user documentation",
    example: 'docs.example.com=./docs,handbook.example.com=git+https://git.example.com/handbook.git#main:docs',
  }),
  LOCAL_SITES_WITHOUT_EXPORT: optional(value.hostNames, {
    about: 'Domains in `LOCAL_SITES` whose exports get 403, as if the plan did not include them.',
    example: 'handbook.example.com',
  }),
  LOCAL_SITES_WITH_HIDDEN_PAGES: optional(value.hostNames, {
    about:
      'Domains in `LOCAL_SITES` whose exports include hidden pages: drafts, pages marked as hidden or `noindex`, and pages outside the navigation. They are reachable by their addresses only.',
    example: 'handbook.example.com',
  }),
  LOCAL_PROJECTS: optional(value.projects, {
    about:
      'Projects for agent jobs as `id=source`, separated by commas or new lines. A git repository is the better choice: its history and reviews stay in one place. A folder is imported into a repository of the embedded code host, with its history if it is in a git checkout, and kept together with it.',
    byDefault: '`docs` with the first folder of `LOCAL_SITES`',
    example: 'docs=./docs,handbook=git+https://github.com/example/handbook.git#main',
  }),
  LOCAL_ADMIN_API_PORT: withDefault(value.browserPort, {
    about: 'Port of the local Admin API on 127.0.0.1. 0 picks a free one at the first start and keeps it.',
    byDefault: '0',
    example: '3100',
  }),
  LOCAL_ADMIN_API_STRICT: withDefault(value.yesOrNo, {
    about:
      'Limits the local Admin API to what the Admin API description shows: no creation of agent jobs, and no sizes, times or reasons. Use it to try Docket with the plainest service.',
    byDefault: 'false',
    example: 'true',
  }),
  LOCAL_EXPORTS_AT_ONCE: withDefault(value.wholeNumber(1, 16), {
    about: 'Exports that each process of the local Admin API runs at the same time. Each can use up to 450 MB.',
    byDefault: '1',
    example: '2',
  }),
  LOCAL_EXPORT_FETCH_HOSTS: optional(value.hostsWithPorts, {
    about:
      'Hosts whose pictures, films and PDFs exports copy into the bundle, separated by commas. By default, links take their place.',
    example: 'images.example.com,*.example.org',
  }),
  LOCAL_EXPORT_QUEUE: withDefault(value.wholeNumber(1, 100_000), {
    about: 'Exports that can wait, over all processes. More get 429.',
    byDefault: '50',
    example: '10',
  }),
  LOCAL_EXPORT_RETENTION_DAYS: withDefault(value.wholeNumber(1, 36_500), {
    about: 'Days that the local Admin API keeps a finished export and its bundle. After that, they return 404.',
    byDefault: '90',
    example: '30',
  }),
  LOCAL_MIRROR_NETWORKS: optional(value.networkTexts, {
    about:
      'Private addresses or networks of sites to mirror, separated by commas. By default, Docket only reads public addresses.',
    example: '10.20.0.0/16',
  }),
  LOCAL_S3_BUCKET: optional(value.plain, {
    about:
      'Older name of `ARTIFACT_S3_BUCKET` for the bundles of the local Admin API alone. If both are set, its bundles are in this bucket, and Docket’s copies in the other.',
    example: 'docket-bundles',
  }),
  ...s3Variables('LOCAL', { accessKey: 'docket', secretFile: '/run/secrets/s3-secret' }),
  LOCAL_CODE_HOST: optional(value.word(codeHostKinds), {
    about: 'Kind of the code host of the git repositories in `LOCAL_PROJECTS`: `github`, `gitlab` or `gitea`.',
    example: 'gitlab',
  }),
  LOCAL_CODE_HOST_URL: optional(value.codeHostAddress, {
    about: 'Address of that code host. The default is github.com or gitlab.com; required for Gitea.',
    example: 'https://git.example.com',
  }),
  ...secret('LOCAL_CODE_HOST_TOKEN', value.plain, {
    about: 'Token that can push branches and open pull requests there. It never leaves the server.',
    example: '0123456789abcdef',
    file: '/run/secrets/code-host-token',
  }),
  LOCAL_CODE_HOST_CA_FILE: optional(value.existingFile, {
    about:
      'Certificates (PEM) that Docket trusts for that code host, for git and for its API, instead of those of the system.',
    example: '/etc/docket/company-ca.pem',
  }),
  LOCAL_CODE_HOSTS_FILE: optional(codeHostsFile, {
    about:
      'JSON file with more code hosts, each with its own token or GitHub App; see [pull requests](guide/agent-jobs/pull-requests.md). Read at the start; token and key files are read again for each use.',
    example: '/etc/docket/code-hosts.json',
  }),
  AGENT_COMMAND: optional(value.plain, {
    about:
      'Agent that works on prompts. Without one, only maintenance orders are worked on. It receives the context and the prompt on standard input and starts in the checkout. It runs in a sandbox, so bubblewrap must be installed.',
    example: '/usr/local/bin/docs-agent --yes',
  }),
  AGENT_COMMAND_HOSTS: optional(value.hostPorts, {
    about:
      'Hosts that the command may reach, with a port (443 by default), separated by commas. Nothing else can be reached, and never Docket, its code host or its database. A public name that leads to a private address also needs that address here.',
    byDefault: 'no network',
    example: 'api.example.com,model.internal:8080',
  }),
  AGENT_COMMAND_ENV_FILE: optional(value.readableFile, {
    about:
      'File with environment variables for the command, such as the key of a model: one `NAME=value` a line. Read at each job; values of 6 and more characters are hidden in output, logs and reports.',
    example: '/run/secrets/agent.env',
  }),
  AGENT_COMMAND_NETWORK: withDefault(value.yesOrNo, {
    about: 'Replaced by `AGENT_COMMAND_HOSTS`; `true` is refused.',
    byDefault: 'false',
    example: 'false',
  }),
  AGENT_CHECK_COMMAND: optional(value.plain, {
    about:
      'Command that checks the result of each agent job, in the same kind of sandbox on a copy of the files, without network and variables. Its result is in the pull request.',
    example: '/usr/local/bin/check-docs --strict',
  }),
  AGENT_JOB_MAX_COST: optional(value.dollars, {
    about: 'Cost that stops an agent job, in US dollars, where the command reports a cost as JSON.',
    byDefault: 'no limit',
    example: '2.50',
  }),
  AGENT_JOB_MINUTES: withDefault(value.wholeNumber(1, 1_440), {
    about: 'Time limit for an agent job of the local Admin API, in minutes.',
    byDefault: '30',
    example: '120',
  }),
  AGENT_JOBS_AT_ONCE: withDefault(value.wholeNumber(1, 16), {
    about:
      'Agent jobs that each process of the local Admin API works on at the same time. Each project has one at a time, over all processes. The others wait, oldest first.',
    byDefault: '2',
    example: '4',
  }),
  AGENT_DAY_MAX_COST: optional(value.dollars, {
    about:
      'Cost in US dollars from which the local Admin API begins no new agent work until the next day (UTC). Counts what agents report; work that has begun is not stopped. No limit by default.',
    example: '20',
  }),
  AGENT_JOB_ARCHIVE_DAYS: withDefault(value.wholeNumber(1, 36_500), {
    about: 'Days after which the local Admin API archives a finished agent job.',
    byDefault: '30',
    example: '7',
  }),
  ...pullRequestVariables,
}
