import type { StaticExport } from '@docket/api-types/static-exports'

type Row = Pick<StaticExport, 'exportId' | 'startedAt' | 'artifact'>

/** Exports that point to the copy of `row`: those with the same bytes, and those that are compared with it. */
export const findPointers = <Other extends Row>(row: Row, others: readonly Other[]) => {
  const stored = others.filter(({ exportId, artifact }) => exportId !== row.exportId && artifact?.state === 'stored')
  return {
    sameBytes: stored.filter(({ artifact }) => row.artifact?.sha256 && artifact?.sha256 === row.artifact.sha256),
    compared: stored.filter(({ artifact }) => artifact?.change?.against === row.exportId),
  }
}
