import * as value from './values.ts'
import { DeploymentKind } from '@docket/api-types/connections'
import { z } from 'zod'
import { backupVariables } from './backup-variables.ts'
import { previewAddress } from './preview-address.ts'
import { localVariables } from './local-variables.ts'
import { optional, s3Variables, secret, withDefault } from './variable.ts'
import { logLevels } from '#ground/log/log.ts'

const artifactVariables = {
  ARTIFACTS: optional(value.word(['on', 'off']), {
    about:
      'Whether Docket stores the bundle of each completed export, and checks it. With `off`, downloads pass through. Bundles that are stored already stay.',
    byDefault: 'on, or off with BUNDLE_DELIVERY=redirect',
    example: 'off',
  }),
  ARTIFACT_STORE_DIR: optional(value.path, {
    about:
      'Folder for stored bundles, and for those of the local Admin API, below `embedded`. Docket processes on one database must share it, or use S3.',
    byDefault: 'DATA_DIR/artifacts',
    example: '/mnt/bundles',
  }),
  ARTIFACT_S3_BUCKET: optional(value.plain, {
    about:
      'Bucket of an S3 object store for stored bundles, and for those of the local Admin API, below `embedded/`, instead of a folder.',
    example: 'docket-artifacts',
  }),
  ...s3Variables('ARTIFACT', { accessKey: 'docket', secretFile: '/run/secrets/artifact-s3-secret' }),
  ARTIFACTS_PER_SITE: withDefault(value.wholeNumber(1, 100_000), {
    about: 'Newest bundles of each site that stay, whatever their age.',
    byDefault: '20',
    example: '50',
  }),
  ARTIFACT_RETENTION_DAYS: withDefault(value.wholeNumber(1, 36_500), {
    about: 'Days after which Docket deletes its copies of older bundles, unless somebody keeps them.',
    byDefault: '365',
    example: '90',
  }),
  ARTIFACT_MAX_BYTES: withDefault(value.wholeNumber(1_024, 1_099_511_627_776), {
    about: 'Largest bundle that Docket stores, in bytes. Larger ones pass through.',
    byDefault: '2147483648',
    example: '536870912',
  }),
  PICTURE_BROWSER: optional(value.program, {
    about:
      'Chromium that takes a picture of the first page of each stored bundle, for the page of its export. It runs in a sandbox without network and scripts, so bubblewrap must be installed; see [Operating](./operating.md#pictures-of-first-pages).',
    byDefault: 'no pictures',
    example: '/usr/bin/chromium',
  }),
}

/** All variables of Docket, in the order of the documentation. */
export const environment = z.object({
  PORT: withDefault(value.wholeNumber(0, 65_535), {
    about: 'Port of the web app. 0 picks a free one.',
    byDefault: '3000',
    example: '8080',
  }),
  HOST: withDefault(value.listenHost, {
    about:
      'Address to listen on. The default is 127.0.0.1 and, without `PUBLIC_URL`, also ::1. Any address other than loopback needs an https `PUBLIC_URL`: Docket speaks plain HTTP, so a proxy in front has to encrypt.',
    byDefault: '127.0.0.1',
    example: '::1',
  }),
  PUBLIC_URL: optional(value.publicAddress, {
    about:
      'Address that people open in the browser: the https address of the proxy in front. Without it, Docket uses its own name on this computer and prints it.',
    example: 'https://docket.example.com',
  }),
  PREVIEW_URL: optional(previewAddress, {
    about:
      'Wildcard address at which each preview of a bundle gets a hostname of its own. It must not share a domain with `PUBLIC_URL`, because pages could then set cookies for Docket. Without it, or if it does, previews open in a sandbox at Docket’s own address. [Operating](./operating.md#previews) has the DNS records and the certificate. Docket needs none on your own computer.',
    example: 'https://*.docs-preview.example',
  }),
  HOSTING_URL: optional(previewAddress, {
    about:
      'Wildcard address at which each hosted channel of a site gets a hostname of its own. It must not share a domain with `PUBLIC_URL`, because pages could then set cookies for Docket; nothing is hosted below it if it does. [Host a site](./guide/releases/hosting.md) has the DNS records, the certificate, and hostnames for single channels. Docket needs none on your own computer.',
    example: 'https://*.docs.example',
  }),
  TARGET_FOLDERS: optional(value.folders, {
    about:
      'Folders of this machine in which admins may put targets, separated by commas. Without it, Docket delivers to no folder of this machine. Every process of Docket needs them. See [Deliver a site](./guide/releases/targets.md).',
    example: '/srv/www,/srv/manuals',
  }),
  TARGET_REPOSITORIES: optional(value.folders, {
    about:
      'Git repositories of this machine that admins may deliver to, each by its path, separated by commas. None may be in a folder of `TARGET_FOLDERS`. Without it, Docket delivers to no repository of this machine. Every process of Docket needs them. See [Deliver a site](./guide/releases/targets.md).',
    example: '/srv/git/docs.git,/srv/git/manuals.git',
  }),
  TRUSTED_PROXIES: optional(value.networks, {
    about:
      'Addresses or networks of the proxies in front, separated by commas. Docket only believes `X-Forwarded-For` from them. Without it, everyone behind a proxy counts as one address.',
    example: '10.0.0.5,fd00::/8',
  }),
  SETUP_ADMIN_EMAIL: optional(value.accountEmail, {
    about:
      'Creates the first admin, with `SETUP_ADMIN_PASSWORD`, if no account exists. Never changes an account. Without it, the console prints a link.',
    example: 'ada@example.com',
  }),
  ...secret('SETUP_ADMIN_PASSWORD', value.newPassword, {
    about: 'Password of that admin: 15 to 256 characters, hard to guess. Required with `SETUP_ADMIN_EMAIL`.',
    example: 'trellis onion 7 marble quay',
    file: '/run/secrets/setup-admin-password',
  }),
  ...secret('AUTH_SECRET', value.signingSecret, {
    about:
      'The instance secret, which signs session cookies and encrypts second factors. At least 32 characters, the same for every replica. Without it, Docket creates one in `DATA_DIR/docket.secret` at its first start. Docket does not start if its database belongs to another secret. [Operating](./operating.md#the-instance-secret) says how to replace it.',
    example: 'k3Jx0cB1v7rTqz5mWnYp9sDfGhLa2eUi',
    file: '/run/secrets/auth-secret',
  }),
  ...secret('AUTH_SECRET_PREVIOUS', value.signingSecret, {
    about:
      'The secret that `AUTH_SECRET` replaces. Its sessions stay valid, and the start re-encrypts its second factors. Remove it after 30 days.',
    example: 'p8Vd2sYw4hQm7cXz1bNt6kRjUe9gFa3L',
    file: '/run/secrets/auth-secret-previous',
  }),
  DATA_DIR: withDefault(value.path, {
    about: 'Folder for all data of Docket, relative to the folder it is started in.',
    byDefault: './data',
    example: '/var/lib/docket',
  }),
  ...secret('DATABASE_URL', value.postgresAddress, {
    about:
      'PostgreSQL to use instead of the embedded one, with one or [several hosts](./operating.md#the-address-of-the-database), and with [TLS](./operating.md#the-address-of-the-database) if it says so. Percent-encode `@ : / ? # %` in the password.',
    example: 'postgresql://docket:secret@db.example.com/docket',
    file: '/run/secrets/database-url',
  }),
  ...secret('DATABASE_DIRECT_URL', value.postgresAddress, {
    about:
      'Address of the same PostgreSQL without a pooler, for migrations, backups and commands. Required if `DATABASE_URL` goes through a pooler in transaction mode, such as PgBouncer.',
    example: 'postgresql://docket:secret@db.example.com:5432/docket',
    file: '/run/secrets/database-direct-url',
  }),
  DATABASE_SCHEMA: withDefault(value.schemaName, {
    about:
      'Schema of Docket’s tables, so that several Dockets, or Docket and other programs, can share a database. Three more schemas have its name in front, such as `docket_pgboss`. Set the same for every process and command. [Operating](./operating.md#a-schema-of-its-own) says how to move there.',
    byDefault: 'public',
    example: 'docket',
  }),
  ADMIN_API_URL: optional(value.serviceAddress, {
    about:
      'Base address of the Admin API: https, or http on this machine. Without it, Docket starts its own local Admin API on folders of this machine.',
    example: 'https://api.example.com',
  }),
  ...secret(
    'ADMIN_API_KEY',
    value.plain,
    {
      about: 'Admin API key. Required with `ADMIN_API_URL`. It never leaves the server.',
      example: 'prefix_0123456789abcdef',
      file: '/run/secrets/admin-api-key',
    },
    {
      schema: value.path,
      about:
        'File that contains `ADMIN_API_KEY`. Docket rereads it when it changes, so you can replace a key without a restart.',
    },
  ),
  ...secret(
    'ADMIN_API_READ_KEY',
    value.plain,
    {
      about:
        'Second key with fewer rights, for reading. Docket then uses the first one only to start exports and create bundles.',
      example: 'prefix_fedcba9876543210',
      file: '/run/secrets/admin-api-read-key',
    },
    {
      schema: value.path,
      about: 'File that contains `ADMIN_API_READ_KEY`; Docket rereads it when it changes, too.',
    },
  ),
  ADMIN_API_KEY_PREFIX: optional(value.plain, {
    about:
      'Prefix that every key must have, with or without its underscore. Docket does not start with a key without it, so you notice a wrong secret at once.',
    example: 'prefix',
  }),
  ...secret('ADMIN_API_HEADERS', value.plain, {
    about:
      'Headers that a gateway in front of the Admin API wants, one per line. Docket sends them to `ADMIN_API_URL` only. Headers that Docket or HTTP itself sets, such as `Authorization` and `Cookie`, are refused.',
    example: 'X-Tenant: docs',
    file: '/run/secrets/admin-api-headers',
  }),
  ...secret('ADMIN_API_CLIENT_CERT', value.plain, {
    about:
      'Client certificate for `ADMIN_API_URL`, as PEM, perhaps with its chain. Docket reads it when it starts, and warns you 14 days before it expires.',
    example: '-----BEGIN CERTIFICATE-----…',
    file: '/run/secrets/admin-api-client.crt',
  }),
  ...secret('ADMIN_API_CLIENT_KEY', value.plain, {
    about: 'Private key of that certificate, as PEM without a passphrase.',
    example: '-----BEGIN PRIVATE KEY-----…',
    file: '/run/secrets/admin-api-client.key',
  }),
  CONNECTION_KEYS_DIR: optional(value.path, {
    about:
      'Folder of key files for connections that admins add in Settings › Connections. They can choose files directly in it, and no others. A changed file takes effect at once.',
    example: '/run/secrets/connections',
  }),
  ADMIN_API_CALLS_PER_HOUR: optional(value.wholeNumber(0, 1_000_000), {
    about:
      'Maximum number of Admin API calls in any hour, per key and across all Dockets on one database. Clicks come before reads. With 0, Docket only makes calls when people click something. The default for the local Admin API is 36000, because its calls cost nothing.',
    byDefault: '3600',
    example: '600',
  }),
  ADMIN_API_TIMEOUT_MS: withDefault(value.wholeNumber(1_000, 45_000), {
    about: 'Time limit for one Admin API call, in milliseconds.',
    byDefault: '30000',
    example: '15000',
  }),
  BUNDLE_DELIVERY: withDefault(value.word(['stream', 'redirect']), {
    about:
      'How a bundle reaches the browser: `stream` through Docket, or `redirect` to the presigned link, which Docket cannot check.',
    byDefault: 'stream',
    example: 'redirect',
  }),
  BUNDLE_HOSTS: optional(value.hostsWithPorts, {
    about:
      'Hosts that bundle links can point to, separated by commas. Without a port, an entry means port 443 (80 for http). Listed hosts can have private addresses. The default is any public host.',
    example: '*.storage.example.com,minio.internal:9000',
  }),
  ...artifactVariables,
  ...backupVariables,
  HISTORY_RETENTION_DAYS: withDefault(value.daysByKind, {
    about:
      'Days to keep the history of exports and jobs, and removed records: one number, at least 1, or one per kind as in the example.',
    byDefault: '365',
    example: 'static-exports=365,agent-jobs=90',
  }),
  AUDIT_RETENTION_DAYS: withDefault(value.wholeNumber(1, 36_500), {
    about: 'Days to keep the audit.',
    byDefault: '365',
    example: '1825',
  }),
  AUDIT_LOG: withDefault(value.word(['off', 'stdout']), {
    about:
      'With `stdout`, Docket also prints each row of the audit to standard output, as a JSON line; see [Operating](./operating.md#the-audit). Set it on every replica.',
    byDefault: 'off',
    example: 'stdout',
  }),
  DEPLOYMENT_KIND: withDefault(value.word(DeploymentKind.options), {
    about: 'Kind of deployment, which decides the available features: `cloud`, `client-hosted` or `air-gapped`.',
    byDefault: 'cloud',
    example: 'air-gapped',
  }),
  AGENT_JOB_CREATION: optional(value.yesOrNo, {
    about:
      'Whether people can create agent jobs and send follow-ups from Docket. The Admin API description does not include these calls, so not every service offers them. The local Admin API does, unless `LOCAL_ADMIN_API_STRICT` is set.',
    byDefault: 'true with the local Admin API unless it is strict, else false',
    example: 'true',
  }),
  ...localVariables,
  OIDC_ISSUER: optional(value.issuerAddress, {
    about:
      'OpenID Connect provider for single sign-on: the issuer in its discovery document. Register `PUBLIC_URL`, or else the address Docket prints, followed by `/api/auth/oidc/callback` there.',
    example: 'https://login.example.com/realms/company',
  }),
  OIDC_CLIENT_ID: optional(value.plain, {
    about: 'Client ID of this Docket at the provider. Required with `OIDC_ISSUER`.',
    example: 'docket',
  }),
  ...secret('OIDC_CLIENT_SECRET', value.plain, {
    about: 'Secret of that client. Required with `OIDC_ISSUER`. It never leaves the server.',
    example: '0123456789abcdef',
    file: '/run/secrets/oidc-client-secret',
  }),
  OIDC_NAME: withDefault(value.plain, {
    about: 'Name on the single sign-on button.',
    byDefault: 'Single sign-on',
    example: 'Example Company',
  }),
  OIDC_SCOPES: withDefault(value.words, {
    about: 'Scopes to request, separated by spaces. Some providers only return groups with a separate scope.',
    byDefault: 'openid profile email',
    example: 'openid profile email groups',
  }),
  OIDC_GROUPS_CLAIM: withDefault(value.plain, {
    about:
      'Claim that contains the groups, in the ID token or the userinfo response. If no claim has this name, dots lead into objects: `realm_access.roles`.',
    byDefault: 'groups',
    example: 'roles',
  }),
  OIDC_GROUPS_SEPARATOR: optional(value.word(['comma', 'space']), {
    about:
      'What separates groups if the provider sends several in one text. Don’t set it if people can choose names of groups that contain one. Without it, one text is one group.',
    example: 'comma',
  }),
  OIDC_ADMIN_GROUP: optional(value.plain, {
    about:
      'Group whose members are admins. With this, `OIDC_OPERATOR_GROUP` or `OIDC_AUDITOR_GROUP`, groups decide the role at every sign-in.',
    example: 'docket-admins',
  }),
  OIDC_OPERATOR_GROUP: optional(value.plain, {
    about: 'Group whose members are operators.',
    example: 'docs-team',
  }),
  OIDC_AUDITOR_GROUP: optional(value.plain, {
    about: 'Group whose members are auditors. If a person is in several groups, the first one in this table counts.',
    example: 'internal-audit',
  }),
  OIDC_VIEWER_GROUP: optional(value.plain, {
    about:
      'Group whose members are viewers, or `*` for everyone the provider signs in. People who are in none of the groups cannot sign in.',
    example: 'staff',
  }),
  OIDC_SIGN_OUT: withDefault(value.yesOrNo, {
    about:
      'Whether signing out of Docket also signs people out at the provider. Register `PUBLIC_URL` followed by `/sign-in` there as an address after sign-out.',
    byDefault: 'false',
    example: 'true',
  }),
  OIDC_RECHECK_MINUTES: optional(value.wholeNumber(1, 1_440), {
    about:
      'Minutes after which Docket reads the groups, name and e-mail address of signed-in people again, for each of their sessions. The provider must give refresh tokens, which often takes `offline_access` in `OIDC_SCOPES`. See [Operating](./operating.md). Without it, sign-ins only do.',
    example: '15',
  }),
  HTTPS_PROXY: optional(value.proxyAddress, {
    about:
      'Proxy for connections that leave this machine over https: the Admin API, bundles, object stores, code hosts, git and single sign-on. It must allow CONNECT. A name in lower case comes first, as with curl. See [Operating](./operating.md#through-a-proxy).',
    example: 'http://docket:secret@proxy.example.com:3128',
  }),
  HTTP_PROXY: optional(value.proxyAddress, {
    about: 'Proxy for connections over plain http, such as sites to mirror. It must allow CONNECT, too.',
    example: 'http://proxy.example.com:3128',
  }),
  NO_PROXY: optional(value.plain, {
    about:
      'Hosts that Docket reaches directly, separated by commas: names with all below them, addresses, networks, perhaps with a port, or `*` for all. This machine is always one of them.',
    example: '.internal,10.0.0.0/8,minio:9000',
  }),
  METRICS_PORT: optional(value.wholeNumber(0, 65_535), {
    about:
      'Port that serves `/metrics` to Prometheus and nothing else. 0 picks a free one. Without it, there are no metrics.',
    example: '9464',
  }),
  METRICS_HOST: withDefault(value.listenHost, {
    about: 'Address for the metrics. They need no sign-in, so only expose them to the network of Prometheus.',
    byDefault: '127.0.0.1',
    example: '10.0.0.7',
  }),
  DATABASE_WAIT_MS: withDefault(value.wholeNumber(100, 600_000), {
    about:
      'Total time a request waits for the database before it gets 503, in milliseconds. Raise it if your database is slow.',
    byDefault: '2500',
    example: '10000',
  }),
  SHUTDOWN_DRAIN_MS: withDefault(value.wholeNumber(0, 60_000), {
    about:
      'Time after SIGTERM during which `/readyz` answers 503 while Docket keeps serving, so that a load balancer stops sending requests, in milliseconds. Ctrl-C skips it.',
    byDefault: '2000',
    example: '10000',
  }),
  LOG_LEVEL: withDefault(value.word(logLevels), {
    about: `Lowest level written to standard error, as JSON lines: ${logLevels.join(', ')}.`,
    byDefault: 'warn',
    example: 'info',
  }),
})

export type Environment = z.output<typeof environment>
