import type { ByteRange } from './object-storage.ts'

/** Ends at the end of the file. `none` for several or malformed ranges, which count as no range. */
export const selectRange = (header: string, size: number): ByteRange | 'none' | 'unsatisfiable' => {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header.trim()) ?? []
  if (first === '' && last === '') return 'none'
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < start) return 'none'
  return start >= size || (first === '' && Number(last) === 0) ? 'unsatisfiable' : { start, end }
}
