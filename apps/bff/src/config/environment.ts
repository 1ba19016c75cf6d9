import { DeploymentKind } from '@docket/api-types/connections'
import { z } from 'zod'
import * as value from './values.ts'
import { localVariables } from './local-variables.ts'
import { optional, secret, withDefault } from './variable.ts'
import { logLevels } from '#log/log.ts'

/** All variables of Docket, in the order of the documentation. */
export const environment = z.object({
  PORT: withDefault(value.wholeNumber(0, 65_535), {
    about: 'Port of the web page. 0 takes a free one.',
    byDefault: '3000',
    example: '8080',
  }),
  HOST: withDefault(value.listenHost, {
    about:
      'Address to listen on; without `PUBLIC_URL` both 127.0.0.1 and ::1. Anything but a loopback address needs an https `PUBLIC_URL`: Docket itself speaks plain HTTP, so a proxy in front has to encrypt.',
    byDefault: '127.0.0.1',
    example: '::1',
  }),
  PUBLIC_URL: optional(value.publicAddress, {
    about:
      'Address people use in the browser: that of the proxy in front, with https. Without it Docket chooses a name of its own on this computer and prints it.',
    example: 'https://docket.example.com',
  }),
  TRUSTED_PROXIES: optional(value.networks, {
    about:
      'Addresses or networks of the proxies in front, separated by commas. Only what they say in `X-Forwarded-For` is believed; without it everybody behind a proxy counts as one address.',
    example: '10.0.0.5,fd00::/8',
  }),
  SETUP_ADMIN_EMAIL: optional(value.accountEmail, {
    about:
      'Creates the first admin at the start, with `SETUP_ADMIN_PASSWORD`, when no account exists; an account is never changed by it. Without it the console prints a link.',
    example: 'ada@example.com',
  }),
  ...secret(
    'SETUP_ADMIN_PASSWORD',
    value.newPassword,
    {
      about:
        'Password of that admin: 15 to 256 characters, not one that is easy to guess. Needed with `SETUP_ADMIN_EMAIL`.',
      example: 'trellis onion 7 marble quay',
    },
    { schema: value.fileWith(value.newPassword), example: '/run/secrets/setup-admin-password' },
  ),
  ...secret(
    'AUTH_SECRET',
    value.signingSecret,
    {
      about:
        'The instance secret: signs session cookies and encrypts second factors, at least 32 characters, the same for every replica. Without it Docket makes one at its first start, in `DATA_DIR/docket.secret`. [Operating](./operating.md#the-instance-secret) says how to replace it; a Docket with another secret than its database knows does not start.',
      example: 'k3Jx0cB1v7rTqz5mWnYp9sDfGhLa2eUi',
    },
    { schema: value.fileWith(value.signingSecret), example: '/run/secrets/auth-secret' },
  ),
  ...secret(
    'AUTH_SECRET_PREVIOUS',
    value.signingSecret,
    {
      about:
        'The secret that `AUTH_SECRET` replaces: sessions that it signed go on, and the start re-encrypts second factors that it encrypted. Remove it after 30 days.',
      example: 'p8Vd2sYw4hQm7cXz1bNt6kRjUe9gFa3L',
    },
    { schema: value.fileWith(value.signingSecret), example: '/run/secrets/auth-secret-previous' },
  ),
  DATA_DIR: withDefault(value.path, {
    about: 'Folder for everything Docket keeps. Relative to the folder it is started in.',
    byDefault: './data',
    example: '/var/lib/docket',
  }),
  ...secret(
    'DATABASE_URL',
    value.postgresAddress,
    {
      about: 'PostgreSQL to use instead of the embedded one.',
      example: 'postgresql://docket:secret@db.example.com/docket',
    },
    { schema: value.fileWith(value.postgresAddress), example: '/run/secrets/database-url' },
  ),
  ...secret(
    'DATABASE_DIRECT_URL',
    value.postgresAddress,
    {
      about:
        'Address of the same PostgreSQL without a pooler, for migrations, backups and the commands. Needed where `DATABASE_URL` goes through a pooler in transaction mode, such as PgBouncer.',
      example: 'postgresql://docket:secret@db.example.com:5432/docket',
    },
    { schema: value.fileWith(value.postgresAddress), example: '/run/secrets/database-direct-url' },
  ),
  ADMIN_API_URL: optional(value.serviceAddress, {
    about:
      'Base address of the Admin API: https, or http on this machine. Without it Docket starts its own local Admin API on folders of this machine.',
    example: 'https://api.example.com',
  }),
  ...secret(
    'ADMIN_API_KEY',
    value.plain,
    {
      about: 'Admin API key. Needed with `ADMIN_API_URL`; it never leaves the server.',
      example: 'prefix_0123456789abcdef',
    },
    {
      schema: value.path,
      about:
        'File that holds `ADMIN_API_KEY`. It is read again when it changes, so a key can be replaced without a restart.',
      example: '/run/secrets/admin-api-key',
    },
  ),
  ...secret(
    'ADMIN_API_READ_KEY',
    value.plain,
    {
      about:
        'Second key with fewer rights, used for reading; the first one is then only used to start exports and make bundles.',
      example: 'prefix_fedcba9876543210',
    },
    {
      schema: value.path,
      about: 'File that holds `ADMIN_API_READ_KEY`; it is read again when it changes, too.',
      example: '/run/secrets/admin-api-read-key',
    },
  ),
  ADMIN_API_KEY_PREFIX: optional(value.plain, {
    about:
      'Prefix every key must have, with or without its underscore. A key without it is refused at start, which catches a pasted wrong secret.',
    example: 'prefix',
  }),
  CONNECTION_KEYS_DIR: optional(value.path, {
    about:
      'Folder of key files for connections that admins add in Settings › Connections: they may name a file directly in it, and no other. A changed file takes effect at once.',
    example: '/run/secrets/connections',
  }),
  ADMIN_API_CALLS_PER_HOUR: optional(value.wholeNumber(0, 1_000_000), {
    about:
      'Most calls of the Admin API in any hour, for each key and over all Dockets on one database. Reads spread over it, clicks come first. 0: nothing is read by itself; only what people click makes calls. The local Admin API costs nobody anything, so there it is 36000 unless set.',
    byDefault: '3600',
    example: '600',
  }),
  ADMIN_API_TIMEOUT_MS: withDefault(value.wholeNumber(1_000, 45_000), {
    about: 'Longest time for one call of the Admin API, in milliseconds.',
    byDefault: '30000',
    example: '15000',
  }),
  BUNDLE_DELIVERY: withDefault(value.word(['stream', 'redirect']), {
    about:
      'How a bundle reaches the browser: `stream` through Docket, or `redirect` to the presigned link, of which Docket checks no byte.',
    byDefault: 'stream',
    example: 'redirect',
  }),
  BUNDLE_HOSTS: optional(value.hostsWithPorts, {
    about:
      'Hosts that bundle links may point to, separated by commas. An entry without a port means port 443 (80 for http), one with a port only that port. Listed hosts may have private addresses. Any public host when not set.',
    example: '*.storage.example.com,minio.internal:9000',
  }),
  HISTORY_RETENTION_DAYS: withDefault(value.daysByKind, {
    about:
      'How many days the history of exports and jobs is kept, and what was removed from a list: one number from 1, or one for each kind as in the example.',
    byDefault: '365',
    example: 'static-exports=365,agent-jobs=90',
  }),
  AUDIT_RETENTION_DAYS: withDefault(value.wholeNumber(1, 36_500), {
    about: 'How many days the audit of who did what is kept.',
    byDefault: '365',
    example: '1825',
  }),
  DEPLOYMENT_KIND: withDefault(value.word(DeploymentKind.options), {
    about: 'Kind of the deployment, for the availability of features: `cloud`, `client-hosted` or `air-gapped`.',
    byDefault: 'cloud',
    example: 'air-gapped',
  }),
  AGENT_JOB_CREATION: optional(value.yesOrNo, {
    about:
      'Whether people may create agent jobs and send follow-up messages from Docket. The Admin API description does not show these calls, so a service may not have them; the local Admin API does, unless `LOCAL_ADMIN_API_STRICT` is set.',
    byDefault: 'true with the local Admin API unless it is strict, else false',
    example: 'true',
  }),
  ...localVariables,
  OIDC_ISSUER: optional(value.issuerAddress, {
    about:
      'OpenID Connect provider for single sign-on, as it calls itself in its discovery document. Register `PUBLIC_URL`, or else the address Docket prints, followed by `/api/auth/oidc/callback` there.',
    example: 'https://login.example.com/realms/company',
  }),
  OIDC_CLIENT_ID: optional(value.plain, {
    about: 'What the provider calls this Docket. Needed with `OIDC_ISSUER`.',
    example: 'docket',
  }),
  ...secret(
    'OIDC_CLIENT_SECRET',
    value.plain,
    {
      about: 'Secret of that client. Needed with `OIDC_ISSUER`; it never leaves the server.',
      example: '0123456789abcdef',
    },
    { schema: value.fileWith(value.plain), example: '/run/secrets/oidc-client-secret' },
  ),
  OIDC_NAME: withDefault(value.plain, {
    about: 'Name of the single sign-on, for its button.',
    byDefault: 'Single sign-on',
    example: 'Example Company',
  }),
  OIDC_SCOPES: withDefault(value.words, {
    about: 'Scopes to ask for, separated by spaces. Some providers give groups only with a scope of their own.',
    byDefault: 'openid profile email',
    example: 'openid profile email groups',
  }),
  OIDC_GROUPS_CLAIM: withDefault(value.plain, {
    about: 'Claim that holds the groups of a person, in the ID token or the answer of the userinfo endpoint.',
    byDefault: 'groups',
    example: 'roles',
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
    about: 'Group whose members are auditors. Of several groups, the first in the order of this table counts.',
    example: 'internal-audit',
  }),
  OIDC_VIEWER_GROUP: optional(value.plain, {
    about:
      'Group whose members are viewers, or `*` for everybody the provider signs in. Whoever is in none of the groups may not come in.',
    example: 'staff',
  }),
  METRICS_PORT: optional(value.wholeNumber(0, 65_535), {
    about: 'Port for Prometheus, with `/metrics` and nothing else. 0 takes a free one. No metrics when not set.',
    example: '9464',
  }),
  METRICS_HOST: withDefault(value.listenHost, {
    about:
      'Address the metrics listen on. They need no sign-in, so open them to the network of the Prometheus only, never to everybody.',
    byDefault: '127.0.0.1',
    example: '10.0.0.7',
  }),
  DATABASE_WAIT_MS: withDefault(value.wholeNumber(100, 600_000), {
    about:
      'How long one request waits for the database in all before it is answered 503, in milliseconds. Raise it for a database that is slow and not away.',
    byDefault: '2500',
    example: '10000',
  }),
  SHUTDOWN_DRAIN_MS: withDefault(value.wholeNumber(0, 60_000), {
    about:
      'After SIGTERM: how long `/readyz` says 503 while Docket goes on answering, so that a load balancer stops sending people here, in milliseconds. Ctrl-C does not wait.',
    byDefault: '2000',
    example: '10000',
  }),
  LOG_LEVEL: withDefault(value.word(logLevels), {
    about: `Lowest level that is written to standard error, as JSON lines: ${logLevels.join(', ')}.`,
    byDefault: 'warn',
    example: 'info',
  }),
})

/** The environment after parsing, by variable. */
export type Environment = z.output<typeof environment>
