import type { Readable } from 'node:stream'
import type {
  CodeHostAction,
  CodeHostCommit,
  CodeHostProjects,
  CodeHostPull,
  CodeHostPulls,
  CodeHostPullState,
} from '@docket/api-types/code-host'

export type PullKey = { projectId: string; number: number }

type BranchJob = { id: string; title: string }

/** A request of git's smart HTTP protocol. `fetch`: the decompressed body of a fetch; null: lists the refs. */
export type CloneRequest = { fetch: Uint8Array | null; protocol: string | undefined; signal: AbortSignal }

/** The embedded code host, as the embedded service in this process provides it. Null for what does not exist. Checks no permissions. */
export type CodeHost = {
  readonly projectIds: readonly string[]
  listProjects(): Promise<CodeHostProjects['projects']>
  listPulls(
    projectId: string,
    query: { state: CodeHostPullState | 'all'; before?: number | undefined },
  ): Promise<Omit<CodeHostPulls, 'projectId' | 'clonePath'> | null>
  readPull(
    projectId: string,
    number: number,
  ): Promise<(Omit<CodeHostPull, 'projectId' | 'job'> & { job: BranchJob | null }) | null>
  readCommit(projectId: string, hash: string): Promise<Omit<CodeHostCommit, 'projectId'> | null>
  /** `refused`: why nothing changed. It is null with `changed` false when the state was already as requested. */
  runAction(
    action: CodeHostAction,
    pull: PullKey & { head: string },
  ): Promise<{ changed: boolean; refused: string | null; job: BranchJob | null } | null>
  /** Writes the main branch into the folder of a project. `refused`: why nothing was written. */
  updateFolder(projectId: string, main: string): Promise<{ changed: boolean; refused: string | null } | null>
  serveClone(projectId: string, request: CloneRequest): Promise<{ contentType: string; body: Readable } | 'busy' | null>
}
