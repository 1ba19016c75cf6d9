import type { Readable } from 'node:stream'
import type { BundleFile } from '@docket/site-bundle/manifest'

/** A file of a site as readers get it. `path` is relative to the root of the site. */
export type DeliveredFile = BundleFile

export type SiteContent = {
  /** SHA-256 of the bundle, lower-case hexadecimal. */
  sum: string
  files: readonly DeliveredFile[]
  /** The stream fails at its end when the content is damaged. */
  open(path: string): Promise<Readable>
}

export type DeliveryPlan = {
  /** SHA-256 of the bundle currently at the target. Null before the first delivery and after an interrupted one. */
  from: string | null
  added: string[]
  changed: string[]
  removed: string[]
  bytes: number
}

/** `comparing` has no total. `waiting`: seconds of the pause before files go. `removing`: files. The others: bytes. */
export type DeliveryPhase = 'comparing' | 'sending' | 'verifying' | 'switching' | 'waiting' | 'removing'

/** `signal` stops the delivery between two steps. The next call of `deliver` continues it. */
export type DeliveryWatch = {
  onProgress(phase: DeliveryPhase, done: number, total: number | null): void
  signal: AbortSignal
}

/** Paths at the target that differ from what was delivered, in order. `extra` has files that no delivery wrote, if any. */
export type Verification = { missing: string[]; changed: string[]; extra?: string[] }

/** Every call rejects with `DeliveryFailed` unless it was aborted. The caller makes one delivery at a time. */
export type DeliveryTarget = {
  /** Writes, reads and removes a test file. Resolves with a warning when readers may not get delivered files. */
  check(signal: AbortSignal): Promise<string | null | void>
  plan(site: SiteContent, signal: AbortSignal): Promise<DeliveryPlan>
  /** Delivers a site and reads it back. May be repeated after a crash. To roll back, deliver the previous site. */
  deliver(site: SiteContent, watch: DeliveryWatch): Promise<DeliveryPlan>
  verify(site: SiteContent, watch: DeliveryWatch): Promise<Verification>
  close(): Promise<void>
}

/** A delivery that failed. `message` is a sentence for the reader, without secrets. */
export class DeliveryFailed extends Error {
  override readonly name = 'DeliveryFailed'
  /** Another attempt may succeed without any change. */
  readonly isTemporary: boolean

  constructor(message: string, isTemporary = false) {
    super(message)
    this.isTemporary = isTemporary
  }
}
