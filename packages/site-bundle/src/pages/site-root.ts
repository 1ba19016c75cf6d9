import { isPage } from './page-address.ts'

const readFolder = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)

const findSharedFolder = (paths: readonly string[]): string => {
  let shared = readFolder(paths[0] ?? '')
  for (const path of paths) while (!path.startsWith(shared)) shared = readFolder(shared.slice(0, -1))
  return shared
}

const isBeside = (path: string) => /^(\.|__MACOSX\/|[^/]*\.(json|txt|md|sha256|log|ya?ml)$|LICENSE$)/i.test(path)

export const findRoot = (paths: readonly string[]): string => {
  if (paths.some((path) => isPage(path) && !path.includes('/'))) return ''
  return findSharedFolder(paths.filter((path) => !isBeside(path)))
}
