/** Bytes `start` to `end`, both included. */
export type ByteRange = { start: number; end: number }

/** The one range a request asks for; null when the whole object is to be sent (RFC 9110 §14). Several ranges count as none. */
export const byteRange = (request: {
  range: string | undefined
  ifRange: string | undefined
  etag: string
  size: number
}): ByteRange | 'unsatisfiable' | null => {
  const { range, ifRange, etag, size } = request
  const match = /^bytes=(\d*)-(\d*)$/.exec(range ?? '')
  if (!match || (ifRange !== undefined && ifRange !== etag)) return null
  const [, from = '', to = ''] = match
  if (from === '' && to === '') return null
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (start >= size || (from === '' && Number(to) === 0)) return 'unsatisfiable'
  return start > end ? null : { start, end }
}
