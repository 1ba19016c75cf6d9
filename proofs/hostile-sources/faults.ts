import type { Fault } from '#proofs/harness/plant.ts'

/**
 * One fault of each kind: page text is not escaped, files outside the folder are read, and slow work is not stopped.
 */
export const faults: readonly Fault[] = [
  {
    file: 'markdown/allow-list.ts',
    instead: 'svg.restore(sanitize(tree, schema) as Root)',
    write: 'svg.restore(tree)',
  },
  {
    file: 'src/source-folder.ts',
    instead: 'if (realpathSync.native(path) !== path || !path.startsWith(root + sep)) return null',
    write: '',
  },
  { file: 'src/source-folder.ts', instead: 'constants.O_NOFOLLOW | ', write: '' },
  { file: 'src/source-folder.ts', instead: 'isAt(opened, path) ?', write: 'true ?' },
  { file: 'site/front-matter.ts', instead: 'const maxLength = 64 * 1024', write: 'const maxLength = 1e9' },
]
