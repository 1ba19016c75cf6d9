import { resolve } from 'node:path'

/** Where documentation comes from. */
export type SiteSource =
  | { kind: 'folder'; folder: string }
  /** `ref` null: the default branch. `folder` is inside the repository, empty for all of it. */
  | { kind: 'git'; repository: string; ref: string | null; folder: string }
  /** A documentation site to read over HTTP. */
  | { kind: 'mirror'; url: string }

/**
 * Reads a source as it is written in a configuration: a folder, `git+https://host/path.git#ref:folder` (or `git+file://…`), or
 * the http(s) address of a site. Throws with a sentence when an address is none.
 */
export const parseSource = (text: string): SiteSource => {
  if (text.startsWith('git+')) {
    const [address = '', fragment = ''] = text.slice(4).split('#', 2)
    if (!URL.canParse(address) || !/^(https?|file):$/.test(new URL(address).protocol))
      throw new Error(`“${text}” is no address of a git repository: git+https://… or git+file://… is needed.`)
    const [ref = '', folder = ''] = fragment.split(':', 2)
    return { kind: 'git', repository: address, ref: ref || null, folder: folder.replace(/^\/+|\/+$/g, '') }
  }
  if (/^https?:/i.test(text)) {
    if (!URL.canParse(text)) throw new Error(`“${text}” is no address of a site.`)
    return { kind: 'mirror', url: new URL(text).href }
  }
  return { kind: 'folder', folder: resolve(text) }
}
