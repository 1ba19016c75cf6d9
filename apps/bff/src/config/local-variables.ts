import { optional, secret, withDefault } from './variable.ts'
import * as value from './values.ts'

/** Code hosts whose API the local Admin API can open pull requests through. */
export const codeHostKinds = ['github', 'gitlab', 'gitea'] as const

/** Variables of the local Admin API. Docket ignores them with `ADMIN_API_URL`. */
export const localVariables = {
  LOCAL_ADMIN_API: optional(value.yesOrNo, {
    about:
      'Whether Docket runs its own local Admin API on folders of this machine. Not set: only while neither `ADMIN_API_URL` nor a connection of Settings › Connections exists. `true`: beside them. `false`: never; without any connection Docket then says that no service is connected.',
    example: 'true',
  }),
  LOCAL_SITES: optional(value.sites, {
    about:
      'Sites of the local Admin API as `domain=source`, separated by commas or new lines. A source is a folder, a git repository (`git+https://host/path.git#branch:folder`, or `git+file://`), or the https address of a documentation site to mirror. Not used with `ADMIN_API_URL`.',
    byDefault: "docs.localhost with Docket's own user documentation",
    example: 'docs.example.com=./docs,handbook.example.com=git+https://git.example.com/handbook.git#main:docs',
  }),
  LOCAL_SITES_WITHOUT_EXPORT: optional(value.hostNames, {
    about: 'Domains of `LOCAL_SITES` whose exports are refused with 403, as by a plan that does not include them.',
    example: 'handbook.example.com',
  }),
  LOCAL_PROJECTS: optional(value.projects, {
    about:
      'Projects for agent jobs as `id=source`, separated by commas or new lines. A folder is imported into a repository of the embedded code host once; a git repository is worked on where it is.',
    byDefault: '`docs` with the first folder of `LOCAL_SITES`',
    example: 'docs=./docs,handbook=git+https://github.com/example/handbook.git#main',
  }),
  LOCAL_ADMIN_API_PORT: withDefault(value.wholeNumber(0, 65_535), {
    about: 'Port of the local Admin API on 127.0.0.1. 0 takes a free one at the first start and keeps it.',
    byDefault: '0',
    example: '3100',
  }),
  LOCAL_ADMIN_API_STRICT: withDefault(value.yesOrNo, {
    about:
      'Leaves only what the Admin API description shows in the answers of the local one: no creation of agent jobs, no sizes, times and reasons. For trying Docket against the plainest service.',
    byDefault: 'false',
    example: 'true',
  }),
  LOCAL_EXPORTS_AT_ONCE: withDefault(value.wholeNumber(1, 16), {
    about: 'Exports of the local Admin API that run at the same time. Each may use up to 450 MB.',
    byDefault: '1',
    example: '2',
  }),
  LOCAL_EXPORT_QUEUE: withDefault(value.wholeNumber(1, 1_000), {
    about: 'Exports that may wait; more are answered 429.',
    byDefault: '50',
    example: '10',
  }),
  LOCAL_EXPORT_RETENTION_DAYS: withDefault(value.wholeNumber(1, 36_500), {
    about: 'How many days a finished export of the local Admin API is kept with its bundle. After that it answers 404.',
    byDefault: '90',
    example: '30',
  }),
  LOCAL_MIRROR_NETWORKS: optional(value.networkTexts, {
    about:
      'Private addresses or networks that mirrored sites may be in, separated by commas. Without it only public addresses are read.',
    example: '10.20.0.0/16',
  }),
  LOCAL_S3_BUCKET: optional(value.plain, {
    about: 'Bucket of an S3 object store for bundles, instead of `DATA_DIR`.',
    example: 'docket-bundles',
  }),
  LOCAL_S3_ENDPOINT: optional(value.storageAddress, {
    about: 'Address of the object store; that of AWS in the region when not set.',
    example: 'https://s3.example.com',
  }),
  LOCAL_S3_REGION: withDefault(value.plain, {
    about: 'Region of the object store.',
    byDefault: 'us-east-1',
    example: 'eu-central-1',
  }),
  LOCAL_S3_ACCESS_KEY_ID: optional(value.plain, {
    about: 'Access key of the object store. Needed with `LOCAL_S3_BUCKET`.',
    example: 'docket',
  }),
  ...secret(
    'LOCAL_S3_SECRET_ACCESS_KEY',
    value.plain,
    {
      about: 'Secret of that access key; it never leaves the server.',
      example: '0123456789abcdef',
    },
    { schema: value.fileWith(value.plain), example: '/run/secrets/s3-secret' },
  ),
  LOCAL_CODE_HOST: optional(value.word(codeHostKinds), {
    about: 'Kind of the code host of the git repositories in `LOCAL_PROJECTS`: `github`, `gitlab` or `gitea`.',
    example: 'gitlab',
  }),
  LOCAL_CODE_HOST_URL: optional(value.storageAddress, {
    about: 'Address of that code host. github.com or gitlab.com when not set; Gitea needs it.',
    example: 'https://git.example.com',
  }),
  ...secret(
    'LOCAL_CODE_HOST_TOKEN',
    value.plain,
    {
      about: 'Token that may push branches and open pull requests there; it never leaves the server.',
      example: '0123456789abcdef',
    },
    { schema: value.fileWith(value.plain), example: '/run/secrets/code-host-token' },
  ),
  AGENT_COMMAND: optional(value.plain, {
    about:
      'Command that does the work of agent jobs instead of the built-in recipes: the prompt on its standard input, the checkout as its working folder. It runs in a sandbox (bubblewrap must be installed).',
    example: '/usr/local/bin/docs-agent --yes',
  }),
  AGENT_COMMAND_NETWORK: withDefault(value.yesOrNo, {
    about: 'Reserved. `true` is refused: a command with the network could approve its own pull request.',
    byDefault: 'false',
    example: 'false',
  }),
  AGENT_JOB_MINUTES: withDefault(value.wholeNumber(1, 1_440), {
    about: 'Longest time an agent job of the local Admin API may work. Minutes.',
    byDefault: '30',
    example: '120',
  }),
  AGENT_JOB_ARCHIVE_DAYS: withDefault(value.wholeNumber(1, 36_500), {
    about: 'How many days after its end an agent job of the local Admin API is archived by itself.',
    byDefault: '30',
    example: '7',
  }),
}
