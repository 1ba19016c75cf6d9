import { type DeliveredFile, DeliveryFailed } from './delivery-target.ts'

// oxlint-disable-next-line no-control-regex -- Names with control characters are refused.
const controlCharacter = /[\u0000-\u001f\u007f]/
/** Names that targets use themselves. */
const ownNames = /^\.(git|docket.*)$/i

/**
 * Throws `DeliveryFailed` unless every path stays within the target, and no two of them are one file or a file and its folder. The files come
 * from a bundle, and its reader has refused such names already.
 */
export const assertSafePaths = (files: readonly DeliveredFile[]): void => {
  const names = new Set(files.map(({ path }) => path))
  if (names.size !== files.length) throw unsafe('the same name twice')
  for (const { path } of files) {
    const parts = path.split('/')
    const isUnsafe =
      parts.some((part) => part === '' || part === '.' || part === '..' || ownNames.test(part)) ||
      path.includes('\\') ||
      controlCharacter.test(path) ||
      Buffer.byteLength(path) > 1000
    if (isUnsafe) throw unsafe(`the name “${path.slice(0, 120).replaceAll(new RegExp(controlCharacter, 'g'), '�')}”`)
    for (let depth = 1; depth < parts.length; depth += 1)
      if (names.has(parts.slice(0, depth).join('/'))) throw unsafe('a name that is a file and a folder')
  }
}

const unsafe = (what: string) => new DeliveryFailed(`The bundle has ${what}, so it cannot be delivered.`)

/** True for a file that readers open as a page. */
export const isPage = ({ type }: DeliveredFile): boolean => type === 'text/html' || type === 'application/xhtml+xml'

/** Value of `Content-Type`. A page may name its own encoding; a header would overrule it. */
export const contentType = ({ type }: DeliveredFile): string =>
  /^text\/(?!html)[^;]*$/.test(type) ? `${type}; charset=utf-8` : type

/** Value of `Cache-Control`: files with a hash in their name never change, and pages are asked for each time. */
export const cacheControl = (file: DeliveredFile): string => {
  if (isPage(file)) return 'public, max-age=0, must-revalidate'
  const name = file.path.split('/').at(-1)!
  return /[.-](?=[\w-]*\d)[\w-]{8,}\.\w+$/.test(name) ? 'public, max-age=31536000, immutable' : 'public, max-age=300'
}
