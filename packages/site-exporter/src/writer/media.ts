import { isUtf8 } from 'node:buffer'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { oncePerKey } from '@docket/once'
import { isLfsPointer, lfsReason } from '@docket/sources/git/lfs-pointer'
import { type SourceFolder, sourceLimits } from '@docket/sources/source-folder'
import { limits } from '#site/limits.ts'
import type { ReadRemoteFile } from '#site/remote-file.ts'
import { findSvgProblem } from './harmless-svg.ts'
import { nameCopy, readRemoteMedia } from './remote-media.ts'

const copied = new Set(
  `.png .jpg .jpeg .gif .webp .avif .ico .svg .bmp .mp4 .webm .ogg .mp3 .wav .m4a .mov .pdf .zip .gz .csv .txt .json .yaml .yml .toml
.xlsx .docx .pptx .woff .woff2 .ttf .vtt .srt`.split(/\s+/),
)

/** Folders that documentation tools publish at the root. */
const published = ['', 'public/', 'static/', 'docs/', 'src/public/']

const texts = new Set('.csv .json .yaml .yml .toml .vtt .srt'.split(' '))
const looksLikeMarkup = (content: Buffer) => /^[\s\uFEFF]*</.test(content.subarray(0, 1_024).toString('utf8'))
/** Maximum size of drawings and text files. Bytes. */
const maxTextBytes = 4 * limits.pageBytes

/** True for text, which is copied as `.txt`, so that no host serves it as a page or program. */
const isText = (content: Buffer) => isUtf8(content) && !content.includes(0)

/** Copies files of `folder`, and of the other hosts that `readRemote` reads, to `target`/media. The pages are below `root`. */
export const createMediaCopier = (
  folder: SourceFolder,
  root: string,
  target: string,
  readRemote: ReadRemoteFile | null,
) => {
  const roots = [...new Set([...published.map((place) => root + place), ...published])]
  const copies = oncePerKey<Taken>({ keep: true })
  const fetches = oncePerKey<Taken | null>({ keep: true })
  const copyOne = async (source: string): Promise<Taken> => {
    const extension = extname(source).toLowerCase()
    const isCopied = copied.has(extension)
    const content = await folder.read(source, isCopied && extension !== '.svg' ? sourceLimits.fileBytes : maxTextBytes)
    if (!content) return { problem: 'it cannot be read, or is too large' }
    if (isLfsPointer(content)) return { problem: lfsReason }
    if (!isCopied && !isText(content))
      return { problem: `files of the kind ${extension || 'without an ending'} are not copied` }
    const danger = extension === '.svg' ? findSvgProblem(content) : null
    if (danger !== null) return { problem: `the SVG is not copied: ${danger}` }
    const double = extension === '.gz' ? (/\.tar(?=\.gz$)/i.exec(source)?.[0].toLowerCase() ?? '') : ''
    const name = basename(source)
    // Hosts may mistake text that begins like HTML for a page.
    const isPlain = isCopied && !(texts.has(extension) && looksLikeMarkup(content))
    const ending = isPlain ? double + extension : `${extension.replace(/[^a-z0-9.]+/g, '')}.txt`
    return write(nameCopy(name.slice(0, name.length - double.length - extension.length), ending, content), content)
  }
  const write = async (file: string, content: Buffer) => {
    await mkdir(dirname(join(target, file)), { recursive: true })
    await writeFile(join(target, file), content)
    return { file }
  }
  const fetchOne = async (address: string) => {
    const result = readRemote && (await readRemoteMedia(readRemote, address))
    return result && 'file' in result ? write(result.file, result.content) : result
  }
  const fetch = (address: string) => fetches.run(address, () => fetchOne(address))
  const copy = async (candidates: readonly string[]): Promise<Taken> => {
    const places = candidates.flatMap((name) => (name.startsWith('..') ? [name] : roots.map((root) => root + name)))
    const source = places.find((path) => folder.has(path))
    const explain = () => candidates.map((candidate) => folder.explain(candidate)).find((reason) => reason !== null)
    if (source === undefined) return { problem: explain() ?? 'there is no such file' }
    return copies.run(source, () => copyOne(source))
  }
  return {
    /** Output file of an address on another host, or the problem. Null when its host is not allowed. */
    fetch,
    copy,
    /** Output file of an address in the settings, which may be on another host, or the problem. */
    take: async (address: string): Promise<Taken> => {
      if (!/^(https?:)?\/\//i.test(address)) return copy([address.replace(/^\.?\//, '').replace(/[?#].*$/, '')])
      const outside = `${address.slice(0, 200)} is on another host`
      return (await fetch(address.replace(/^\/\//, 'https://'))) ?? { problem: outside }
    },
  }
}

type Taken = { file: string } | { problem: string }

export type Media = ReturnType<typeof createMediaCopier>
