import type { Fault } from '#proofs/harness/plant.ts'

/**
 * One fault of each kind: page text is not escaped, files outside the folder are read, and slow work is not stopped.
 */
export const faults: readonly Fault[] = [
  { file: 'markdown/allow-list.ts', instead: 'return sanitize(tree, schema) as Root', write: 'return tree' },
  {
    file: 'src/source-folder.ts',
    instead: 'if ((await realpath(path)) !== path || !path.startsWith(root + sep)) return null',
    write: '',
  },
  { file: 'src/source-folder.ts', instead: 'constants.O_NOFOLLOW | ', write: '' },
  { file: 'src/source-folder.ts', instead: 'await isAt(handle, path)', write: 'true' },
  { file: 'site/front-matter.ts', instead: 'const maxLength = 64 * 1024', write: 'const maxLength = 1e9' },
]
