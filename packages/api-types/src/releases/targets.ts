import { z } from 'zod'
import { optionalLine, typedLine, typedText } from '#ground/text.ts'

/** Longest lists of paths that a dry run or a verification shows. */
export const maxShownPaths = 200

const folderPath = optionalLine(1000).regex(/^(?!.*(^|\/)\.\.(\/|$))/, 'A folder has no “..” in it.')
/** Bundles that stay beside the current one. */
const keep = z.int().min(1).max(20).default(3)
/** Minutes after which files that no page needs any more are removed. */
const graceMinutes = z.int().min(0).max(60).default(5)
/** Type and content of a key in Base64, as in `known_hosts`. */
const hostKey = optionalLine(2000).regex(
  /^[a-z0-9@.-]+ [A-Za-z0-9+/]+=*$/,
  'A host key has a type and a text in Base64.',
)

/** URL at which readers find the root of the target. Null when unknown. */
const address = z
  .url({ protocol: /^https?$/, error: 'Enter an address that begins with https://.' })
  .max(500)
  .regex(/^[^?#@]*$/, 'Enter an address without a user or a query.')
  .nullable()
  .default(null)

/** A folder of the machine that Docket runs on, within `TARGET_FOLDERS`. Readers are served from its link `current`. */
export const FolderTarget = z.object({
  kind: z.literal('folder'),
  address,
  path: folderPath.regex(/^\//, 'Begin with a slash.'),
  keep,
})

/** A bucket, or a folder in it. Pages change one after the other. */
export const S3Target = z.object({
  kind: z.literal('s3'),
  address,
  /** Null when the bucket is at AWS, in `region`. */
  endpoint: z
    .url({ protocol: /^https?$/, error: 'Enter an address that begins with https://.' })
    .max(500)
    .nullable(),
  region: typedLine(100, 'Enter a region.'),
  bucket: typedLine(100, 'Enter a bucket.'),
  /** Folder in the bucket, without a slash at either end. Empty when the target is the whole bucket. */
  prefix: folderPath.transform((text) => text.replaceAll(/^\/+|\/+$/g, '')),
  accessKeyId: typedLine(200, 'Enter an access key.'),
  graceMinutes,
})

/** A branch of a repository. Each delivery is one commit. */
export const GitTarget = z.object({
  kind: z.literal('git'),
  address,
  /** `https://…`, `ssh://…`, or a path that `TARGET_REPOSITORIES` lists. */
  url: typedLine(1000, 'Enter the address of a repository.'),
  branch: typedLine(200, 'Enter a branch.'),
  /** Folder in the repository. Empty when the target is the whole branch. */
  folder: folderPath.transform((text) => text.replaceAll(/^\/+|\/+$/g, '')),
  /** User name for the token. Null without a sign-in, or with a private key. */
  user: typedLine(200).nullable(),
  hostKey: hostKey.nullable(),
})

/** A folder of an SSH server. `releases`: as `folder`. `in_place`: as `s3`, where links are not possible. */
export const SftpTarget = z.object({
  kind: z.literal('sftp'),
  address,
  host: typedLine(253, 'Enter a server.'),
  port: z.int().min(1).max(65_535).default(22),
  user: typedLine(200, 'Enter a user.'),
  login: z.enum(['password', 'private_key']),
  hostKey,
  folder: folderPath.min(1, 'Enter a folder.'),
  layout: z.enum(['releases', 'in_place']),
  keep,
  graceMinutes,
})

/** Address of a target and the way it gets its files. Contains no secret. */
export const TargetSettings = z.discriminatedUnion('kind', [FolderTarget, S3Target, GitTarget, SftpTarget])
export type TargetSettings = z.infer<typeof TargetSettings>

/** Secret access key, password, token or private key, by kind. Write-only. */
const targetSecret = typedText(20_000, 'Enter the secret.')

export const Delivery = z.object({
  deliveryId: z.uuid(),
  /** `take_back` delivers the bundle that the target had before. `verification` reads everything back, and changes nothing. */
  kind: z.enum(['delivery', 'take_back', 'verification']),
  /** `replaced`: a later release superseded it before it started. */
  state: z.enum(['waiting', 'running', 'done', 'failed', 'replaced']),
  sha256: z.string(),
  /** Number of the release. Null when the release is deleted. */
  releaseNumber: z.int().positive().nullable(),
  /** While it runs. `waiting`: seconds of the pause before files go; `removing`: files; the others: bytes. */
  phase: z.enum(['comparing', 'sending', 'verifying', 'switching', 'waiting', 'removing']).nullable(),
  done: z.int().nonnegative().nullable(),
  /** Null when it is unknown. */
  total: z.int().nonnegative().nullable(),
  /** Files. Null before it is known. A verification counts changed, missing (`removed`) and other (`added`) ones. */
  added: z.int().nonnegative().nullable(),
  changed: z.int().nonnegative().nullable(),
  removed: z.int().nonnegative().nullable(),
  /** Why it failed, or why the last attempt did. Of a verification that is `done`: the first files that differ. Plain text. */
  problem: z.string().nullable(),
  askedBy: z.string(),
  askedAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
})
export type Delivery = z.infer<typeof Delivery>

export const Target = z.object({
  targetId: z.uuid(),
  name: z.string(),
  settings: TargetSettings,
  hasSecret: z.boolean(),
  /** Delivers by itself when the channel has a new release. */
  onRelease: z.boolean(),
  /** The newest delivery, even a running one. */
  last: Delivery.nullable(),
  /** SHA-256 of the bundle that the last good delivery left there. Null before the first. */
  delivered: z
    .object({ sha256: z.string(), releaseNumber: z.int().positive().nullable(), at: z.iso.datetime() })
    .nullable(),
  /** A delivery can be taken back: an earlier bundle was there, and is stored. */
  canTakeBack: z.boolean(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
})
export type Target = z.infer<typeof Target>

export const TargetList = z.object({
  targets: z.array(Target),
  /** The caller may add, change and remove targets: admins only. */
  mayChange: z.boolean(),
  /** The caller may deliver, verify and take back. */
  mayDeliver: z.boolean(),
  /** Folders of `TARGET_FOLDERS`. Empty for people who may not change targets. */
  folders: z.array(z.string()),
})
export type TargetList = z.infer<typeof TargetList>

const targetName = typedLine(100, 'Enter a name.')

export const AddTarget = z.object({
  name: targetName,
  settings: TargetSettings,
  secret: targetSecret.nullable().default(null),
  onRelease: z.boolean().default(true),
})
export type AddTarget = z.input<typeof AddTarget>

/** `settings` of another kind are refused. When they lead to another place, the secret has to be entered again. */
export const ChangeTarget = z.object({
  name: targetName.optional(),
  settings: TargetSettings.optional(),
  secret: targetSecret.optional(),
  onRelease: z.boolean().optional(),
})
export type ChangeTarget = z.input<typeof ChangeTarget>

/**
 * Tries a target before it is saved: writes, reads and removes something. `targetId`: takes the secret of a saved one for the same place.
 */
export const TestTarget = z.object({
  settings: TargetSettings,
  secret: targetSecret.nullable().default(null),
  targetId: z.uuid().nullable().default(null),
  /** Channel whose current release the target has to fit. */
  channelId: z.uuid().nullable().default(null),
})
export type TestTarget = z.input<typeof TestTarget>
export const TargetTest = z.object({ works: z.boolean(), message: z.string() })
export type TargetTest = z.infer<typeof TargetTest>

/** Asks an SSH server for its key, which a person then confirms. */
export const ReadHostKey = z.object({
  host: typedLine(253, 'Enter a server.'),
  port: z.int().min(1).max(65_535).default(22),
})
export type ReadHostKey = z.input<typeof ReadHostKey>
/** `fingerprint`: as `ssh-keygen -l` prints it. */
export const HostKey = z.object({ hostKey: z.string(), fingerprint: z.string() })
export type HostKey = z.infer<typeof HostKey>

const paths = z.object({ count: z.int().nonnegative(), shown: z.array(z.string()).max(maxShownPaths) })

/** Changes that a delivery of the current release would make now. */
export const DryRun = z.object({
  /** SHA-256 of the bundle that the target has. Null when it has none, or when a delivery was interrupted. */
  from: z.string().nullable(),
  to: z.string(),
  added: paths,
  changed: paths,
  removed: paths,
  /** Bytes of added and changed files. */
  bytes: z.int().nonnegative(),
})
export type DryRun = z.infer<typeof DryRun>

/** Delivers the current release, verifies the target, or delivers the previous bundle. */
export const RequestDelivery = z.object({ kind: Delivery.shape.kind })
export type RequestDelivery = z.infer<typeof RequestDelivery>

/** The newest 50 deliveries of a target, the newest first. */
export const DeliveryList = z.object({ deliveries: z.array(Delivery) })
export type DeliveryList = z.infer<typeof DeliveryList>
