/** A source as a worker process reads it: everything that depends on the moment was settled before. */
export type OrderedSource =
  | { kind: 'folder'; folder: string }
  /** A commit that `gitDir`, a bare repository on this machine, holds. `folder` is inside it, empty for all of it. */
  | { kind: 'git'; gitDir: string; commit: string; folder: string; repository: string }
  /** `staging` is a folder of the job, for what was read. */
  | { kind: 'mirror'; url: string; staging: string; privateNetworks: readonly string[] }
