import type { BundleFile } from '#manifest.ts'
import { isPage } from '#locator/page-address.ts'

const readFolder = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)

const findSharedFolder = (paths: readonly string[]): string => {
  let shared = readFolder(paths[0] ?? '')
  for (const path of paths) while (!path.startsWith(shared)) shared = readFolder(shared.slice(0, -1))
  return shared
}

const isBeside = (path: string) => /^(\.|__MACOSX\/|[^/]*\.(json|txt|md|sha256|log|ya?ml)$|LICENSE$)/i.test(path)

export const findRoot = (files: readonly Pick<BundleFile, 'path' | 'type'>[]): string => {
  if (files.some((file) => isPage(file) && !file.path.includes('/'))) return ''
  return findSharedFolder(files.map(({ path }) => path).filter((path) => !isBeside(path)))
}
