import { isPage } from './page-address.ts'

const folder = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)

const sharedFolder = (paths: readonly string[]): string => {
  let shared = folder(paths[0] ?? '')
  for (const path of paths) while (!path.startsWith(shared)) shared = folder(shared.slice(0, -1))
  return shared
}

const isBeside = (path: string) => /^(\.|__MACOSX\/|[^/]*\.(json|txt|md|sha256|log|ya?ml)$|LICENSE$)/i.test(path)

export const findRoot = (paths: readonly string[]): string => {
  if (paths.some((path) => isPage(path) && !path.includes('/'))) return ''
  return sharedFolder(paths.filter((path) => !isBeside(path)))
}
