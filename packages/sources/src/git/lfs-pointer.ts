const pointerBegin = 'version https://git-lfs.github.com/spec/v1'
const maxPointerBytes = 1024

/** True for sizes that a Git LFS pointer can have. Bytes. */
export const mayBeLfsPointer = (bytes: number): boolean => bytes >= pointerBegin.length && bytes < maxPointerBytes

/** True for a file that only names a file which is kept with Git LFS. */
export const isLfsPointer = (content: Buffer): boolean =>
  mayBeLfsPointer(content.length) && content.toString('latin1', 0, pointerBegin.length) === pointerBegin

export const lfsReason = 'it is kept with Git LFS, which is not fetched'
