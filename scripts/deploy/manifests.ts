import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { trackedFiles } from '#scripts/tracked-files.ts'
import type { Manifest } from './manifest-types.ts'

type Kustomization = {
  resources?: string[]
  patches?: { path: string }[]
  configMapGenerator?: { envs?: string[] }[]
}

/** Objects of a YAML text; empty documents are left out. Throws when it is no YAML. */
export const parseManifests = (text: string): Manifest[] =>
  parseAllDocuments(text).flatMap((document) => {
    const [problem] = document.errors
    if (problem !== undefined) throw problem
    const value = document.toJS() as Manifest | null
    return value === null ? [] : [value]
  })

/** The files of `deploy/kubernetes`: whole objects, and what is wrong with the references between its folders. */
export const readKubernetesFolder = (root: string): { manifests: Manifest[]; broken: string[] } => {
  const folder = join(root, 'deploy', 'kubernetes')
  const files = trackedFiles(root)
    .map(({ path }) => join(root, path))
    .filter((path) => path.startsWith(`${folder}/`))
  const used = new Set<string>()
  const patches = new Set<string>()
  const broken: string[] = []
  for (const file of files.filter((path) => path.endsWith('/kustomization.yaml'))) {
    const {
      resources = [],
      patches: changes = [],
      configMapGenerator = [],
    } = parseManifests(readFileSync(file, 'utf8'))[0] as unknown as Kustomization
    const patchPaths = changes.map(({ path }) => path)
    used.add(file)
    for (const name of [...resources, ...patchPaths, ...configMapGenerator.flatMap(({ envs = [] }) => envs)]) {
      const path = join(dirname(file), name)
      if (patchPaths.includes(name)) patches.add(path)
      used.add(path)
      if (!files.includes(path) && !files.includes(join(path, 'kustomization.yaml')))
        broken.push(`${relative(root, file)} names ${name}, which is not there`)
    }
  }
  for (const file of files.filter((path) => !used.has(path))) broken.push(`nothing uses ${relative(root, file)}`)
  const read = (paths: string[]) => paths.flatMap((path) => parseManifests(readFileSync(path, 'utf8')))
  const yaml = [...used].filter((path) => path.endsWith('.yaml') && !path.endsWith('/kustomization.yaml'))
  const manifests = read(yaml.filter((path) => files.includes(path) && !patches.has(path)))
  const target = ({ kind, metadata }: Manifest) => `${kind}/${metadata.name}`
  const targets = new Set(manifests.map(target))
  for (const patch of read([...patches].filter((path) => files.includes(path))))
    if (!targets.has(target(patch))) broken.push(`a patch changes ${target(patch)}, which is not there`)
  return { manifests, broken }
}
