import type { FolderState } from './folder-state.ts'

export type FolderView = {
  /** Commit of the main branch, which an update has to name. */
  main: string
  behind: number
  sentence: string
  isUpToDate: boolean
  canUpdate: boolean
}

export const describeFolder = ({ main, head, behind, writing, problem }: FolderState): FolderView => {
  const isCurrent = behind === 0 && writing === null
  const canUpdate = problem === null && head !== null && !isCurrent
  return {
    main,
    behind,
    canUpdate,
    isUpToDate: problem === null && isCurrent,
    sentence: describe({ behind, writing, problem }),
  }
}

const describe = ({ behind, writing, problem }: Pick<FolderState, 'behind' | 'writing' | 'problem'>): string => {
  const distance = `The folder is ${behind} ${behind === 1 ? 'commit' : 'commits'} behind the main branch.`
  if (problem !== null) return behind > 0 ? `${distance} ${problem}` : problem
  if (writing !== null) return 'An update of the folder was interrupted. Update it again to complete it.'
  return behind > 0 ? distance : 'The folder is up to date.'
}
