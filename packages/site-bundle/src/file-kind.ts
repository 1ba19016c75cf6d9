import type { BundleFile } from '#manifest.ts'
import { decideMediaType, readMediaType } from './media-type.ts'
import { createUtf8Test, findDeclaredEncoding, headBytes } from './text-encoding.ts'

/** Decides type and encoding of a file that comes in pieces, and keeps its first bytes only. */
export const createFileKind = (path: string) => {
  const named = readMediaType(path)
  const utf8 = createUtf8Test()
  let head = Buffer.alloc(0)
  return {
    add: (piece: Uint8Array): void => {
      if (head.length < headBytes) head = Buffer.concat([head, piece.subarray(0, headBytes - head.length)])
      if (named === null || named.startsWith('text/')) utf8.add(piece)
    },
    end: (): Pick<BundleFile, 'type' | 'charset' | 'contentEncoding'> => {
      const type = decideMediaType(path, head)
      if (/\.svgz$/i.test(path) && head[0] === 0x1f && head[1] === 0x8b) return { type, contentEncoding: 'gzip' }
      if (!type.startsWith('text/')) return { type }
      const declared = type === 'text/html' || type === 'text/xml' ? findDeclaredEncoding(head) : null
      return { type, charset: (declared ?? 'utf-8') === 'utf-8' && utf8.end() ? 'utf-8' : null }
    },
  }
}
