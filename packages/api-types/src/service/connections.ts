import { z } from 'zod'
import { typedLine } from '#ground/text.ts'
import { ConnectionCodeHost } from './connection-code-hosts.ts'

/** Deployment kinds of the service (Admin API §1). */
export const DeploymentKind = z.enum(['cloud', 'client-hosted', 'air-gapped'])
export type DeploymentKind = z.infer<typeof DeploymentKind>

/**
 * Health of the Admin API over all operations: `unknown` no call yet · `ok` · `key_rejected` 401 · `forbidden` 403 · `rate_limited` 429
 * · `unreachable` no connection, time-out or 5xx · `unexpected` answers that do not fit the contract.
 */
export const ConnectionState = z.enum([
  'unknown',
  'ok',
  'key_rejected',
  'forbidden',
  'rate_limited',
  'unreachable',
  'unexpected',
])
export type ConnectionState = z.infer<typeof ConnectionState>

export const ConnectionQuery = z.object({ connection: z.uuid().optional() })
export type ConnectionQuery = z.infer<typeof ConnectionQuery>

/** Names a connection in a request. Optional while only one can be used, or only one of them has the domain or project. */
export const connectionChoice = { connectionId: z.uuid().optional() }

/**
 * Service behind a connection: `service` an Admin API at an address · `embedded` Docket's own, on this machine ·
 * `unassigned` nothing: records of an earlier version that belong to no known service.
 */
export const ConnectionKind = z.enum(['service', 'embedded', 'unassigned'])
export type ConnectionKind = z.infer<typeof ConnectionKind>

/**
 * `active` is polled · `paused` by an admin · `unusable` this Docket lacks what it needs, such as its key, and tries again · `gone`
 * removed, or no longer described by the environment. Records of all but the first are read-only.
 */
export const ConnectionUse = z.enum(['active', 'paused', 'unusable', 'gone'])
export type ConnectionUse = z.infer<typeof ConnectionUse>

export const ConnectionColour = z.enum(['grey', 'blue', 'green', 'amber', 'red', 'violet'])
export type ConnectionColour = z.infer<typeof ConnectionColour>

/**
 * Docket's last test of a key: `proven` 404 for an unknown id, and another answer to a key that can't be valid if a person asked · `rejected`
 * 401 · `not_proven` 403, the same answer, or an unclear one.
 */
export const KeyCheck = z.object({
  outcome: z.enum(['proven', 'rejected', 'not_proven']),
  /** Meaning and remedy. */
  message: z.string(),
  at: z.iso.datetime(),
})
export type KeyCheck = z.infer<typeof KeyCheck>

/** How the service responded to the key in use. Times in ISO 8601, UTC; null when it never happened. */
export const KeyHealth = z.object({
  firstUsedAt: z.iso.datetime().nullable(),
  lastAcceptedAt: z.iso.datetime().nullable(),
  lastRejectedAt: z.iso.datetime().nullable(),
  check: KeyCheck.nullable(),
  /** Last day of the key, as an admin entered it. YYYY-MM-DD. */
  expiresOn: z.iso.date().nullable(),
  /** Warning from 14 days before that day on. Null otherwise. */
  warning: z.string().nullable(),
})
export type KeyHealth = z.infer<typeof KeyHealth>

/** Meaning of a status that only this service uses: `completed`, `ended` without a result, or `running`. */
export const StatusMeaning = z.enum(['completed', 'ended', 'running'])
export type StatusMeaning = z.infer<typeof StatusMeaning>

/** Say what the status of a record means, for this and later records of its connection. */
export const TreatStatus = z.object({ as: StatusMeaning })
export type TreatStatus = z.infer<typeof TreatStatus>

/** How a service counts progress up to 1 (Admin API §2.3 shows no type): per cent, or as a fraction of 1. */
export const ProgressScale = z.enum(['percent', 'fraction'])
export type ProgressScale = z.infer<typeof ProgressScale>

// A status has up to 100 characters, and lower case may be longer.
const statusMeanings = z.record(z.string().max(300), StatusMeaning)

const ConnectionSource = z.enum(['environment', 'settings', 'docket'])

/** A connection to an Admin API, without any key. */
export const Connection = z.object({
  connectionId: z.uuid(),
  name: z.string(),
  kind: ConnectionKind,
  use: ConnectionUse,
  /** Why its records are read-only. Null while it is active. */
  useReason: z.string().nullable(),
  colour: ConnectionColour.nullable(),
  production: z.boolean(),
  deploymentKind: DeploymentKind,
  /** True when it can create agent jobs and take follow-ups. */
  agentJobCreation: z.boolean(),
  /** True when an admin switched its list of agent jobs on. */
  agentJobList: z.boolean(),
  state: ConnectionState,
  /** Problem and remedy; null when there is none. */
  message: z.string().nullable(),
  /** Since when it is in this state. ISO 8601, UTC. */
  since: z.iso.datetime().nullable(),
  /** `environment` describes it, so its address and key are not edited here. Left out by earlier builds. */
  source: ConnectionSource.optional(),
  /** Warning about the end of the key or of the client certificate; null without one. */
  keyWarning: z.string().nullable(),
  /** True when the caller may start, add and change records here. */
  mayOperate: z.boolean(),
  /** The environment's next connection, until an admin says whether it is the same service. Left out by earlier builds. */
  successorId: z.uuid().nullish(),
})
export type Connection = z.infer<typeof Connection>

/** A connection for admins, with its settings. Keys are written only, never read back. */
export const ConnectionSettings = Connection.extend({
  source: ConnectionSource,
  /** Origin and path. Null for `unassigned`. */
  baseUrl: z.string().nullable(),
  /** Source of the key. `file` is a name below CONNECTION_KEYS_DIR. */
  key: z.object({ from: z.enum(['environment', 'stored', 'file', 'none']), file: z.string().nullable() }),
  readKey: z.object({ from: z.enum(['environment', 'stored', 'file', 'none']), file: z.string().nullable() }),
  keyPrefix: z.string().nullable(),
  /** Names of the extra headers. Left out by earlier builds, like the last day of the client certificate (YYYY-MM-DD, UTC). */
  headerNames: z.array(z.string()).optional(),
  clientCertificateExpiresOn: z.iso.date().nullish(),
  callsPerHour: z.int().nonnegative(),
  timeoutMs: z.int().positive(),
  bundleHosts: z.array(z.string()),
  keyHealth: KeyHealth,
  /** Code hosts whose pull requests Docket reads for its jobs. Left out by earlier builds. */
  codeHosts: z.array(ConnectionCodeHost).nullish(),
  /**
   * Whether Docket runs its embedded service from the next start on; `because` ends that sentence, and an environment variable decides when
   * it `isFixed`. Null for other connections; left out by earlier builds.
   */
  embedded: z.object({ on: z.boolean(), because: z.string(), isFixed: z.boolean() }).nullish(),
  /** Meanings of statuses that people chose, by the status in lower case. Left out by earlier builds. */
  statusMeanings: statusMeanings.optional(),
  /** `chosen` by an admin, which wins, and `learnt` from exports. Null while unknown; left out by earlier builds. */
  progressScale: z.object({ chosen: ProgressScale.nullable(), learnt: ProgressScale.nullable() }).optional(),
  records: z.object({ staticExports: z.int(), agentJobs: z.int() }),
  /** Name of the person who added it. Null when the environment or Docket did. */
  createdBy: z.string().nullable(),
  createdAt: z.iso.datetime(),
})
export type ConnectionSettings = z.infer<typeof ConnectionSettings>

export const ConnectionList = z.object({
  items: z.array(ConnectionSettings),
  /** Key files that may be chosen: names below CONNECTION_KEYS_DIR. Null where that is not set. */
  keyFiles: z.array(z.string()).nullable(),
})
export type ConnectionList = z.infer<typeof ConnectionList>

/** A key as a value, which Docket encrypts, or as the name of a file below CONNECTION_KEYS_DIR. */
export const KeyChoice = z.union([
  z.object({ value: z.string().trim().min(1, 'Enter a key.').max(1024) }),
  z.object({ file: typedLine(200) }),
])
export type KeyChoice = z.infer<typeof KeyChoice>

const marks = {
  name: typedLine(60, 'Enter a name.'),
  colour: ConnectionColour.nullable(),
  production: z.boolean(),
  keyExpiresOn: z.iso.date().nullable(),
  agentJobList: z.boolean(),
}
/** Tests keys before saving: `false` refuses with `conflict` unless they are proven, `true` saves anyway. Without it, tests nothing. */
const anyway = z.boolean().optional()
const service = {
  baseUrl: z.string().trim().min(1, 'Enter an address.').max(2000),
  /** Fixed prefix of its keys (Admin API §5.3). Null when it is not checked. */
  keyPrefix: typedLine(64).nullable(),
  deploymentKind: DeploymentKind,
  callsPerHour: z.int().min(0).max(1_000_000),
  timeoutMs: z.int().min(1000).max(120_000),
  /** Hosts with ports that bundle links may point to. Empty when every public host is allowed. */
  bundleHosts: z.array(z.string().trim().min(1).max(260)).max(50),
  agentJobCreation: z.boolean(),
  /** Extra headers for a gateway in front of the service, by name. Written only, like a key. */
  headers: z.record(z.string(), z.string()).nullable(),
  /** PEM texts; a chain may follow the certificate. Written only. */
  clientCertificate: z.object({ certificate: z.string().max(32_768), key: z.string().max(16_384) }).nullable(),
}

export const CreateConnection = z.object({
  ...marks,
  ...service,
  key: KeyChoice,
  readKey: KeyChoice.nullable().default(null),
  colour: marks.colour.default(null),
  production: marks.production.default(false),
  keyExpiresOn: marks.keyExpiresOn.default(null),
  agentJobList: marks.agentJobList.default(false),
  keyPrefix: service.keyPrefix.default(null),
  deploymentKind: service.deploymentKind.default('cloud'),
  callsPerHour: service.callsPerHour.default(3600),
  timeoutMs: service.timeoutMs.default(30_000),
  bundleHosts: service.bundleHosts.default([]),
  agentJobCreation: service.agentJobCreation.default(false),
  headers: service.headers.default(null),
  clientCertificate: service.clientCertificate.default(null),
  anyway,
})
export type CreateConnection = z.input<typeof CreateConnection>

/** A connection to test before it is saved; its name doesn't matter. */
export const TestConnection = CreateConnection.omit({ name: true, anyway: true })
export type TestConnection = z.input<typeof TestConnection>

const switches = { paused: z.boolean(), /** The embedded service, from the next start on. */ switchedOn: z.boolean() }

/** All words with their meanings, and the scale; a null scale forgets what Docket learnt, so that it learns again. */
const learnt = { statusMeanings, progressScale: ProgressScale.nullable() }

/**
 * Whether a new address is that of the same service (`true`), or another service (`false`): then the answer is a new connection, and this
 * one is removed. Without it, a connection with records is replaced, as Docket never asks another service about them. `false` also says
 * this about the successor of a connection that the environment no longer describes.
 */
const sameService = z.boolean()

/** Change a connection; one from the environment takes marks and the end of its key. A new address or bundle hosts need the key again. */
export const ChangeConnection = z
  .object({
    ...marks,
    ...service,
    key: KeyChoice,
    readKey: KeyChoice.nullable(),
    ...switches,
    ...learnt,
    sameService,
    anyway,
  })
  .partial()
export type ChangeConnection = z.input<typeof ChangeConnection>

/** Move records of the read-only `unassigned` connection, or of one that is gone, to the active one they belong to. */
export const MoveRecords = z.object({ to: z.uuid() })
export type MoveRecords = z.infer<typeof MoveRecords>

const movable = { staticExports: z.int(), agentJobs: z.int(), sites: z.int() }

/** What would move. Roles and tokens of a connection that is gone come to cover the other one, too. */
export const RecordMove = z.object({
  moves: z.object({ ...movable, roles: z.int(), tokens: z.int() }),
  /** What the other connection has already: jobs on its list, and sites of the same domain with their exports. */
  stays: z.object(movable),
})
export type RecordMove = z.infer<typeof RecordMove>

export const Project = z.object({
  connectionId: z.uuid(),
  projectId: z.string(),
  /** Null when the project is shown by its id. */
  name: z.string().nullable(),
  /** Chosen beforehand in forms; at most one in a connection. */
  isDefault: z.boolean(),
})
export type Project = z.infer<typeof Project>

export const ProjectList = z.object({ items: z.array(Project) })
export type ProjectList = z.infer<typeof ProjectList>

/** Name a project, or make it the default. */
export const SaveProject = z.object({
  ...connectionChoice,
  projectId: typedLine(256),
  name: typedLine(100).nullable(),
  isDefault: z.boolean().default(false),
})
export type SaveProject = z.input<typeof SaveProject>
