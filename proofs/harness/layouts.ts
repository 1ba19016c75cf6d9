import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { parse } from 'yaml'
import { readKubernetesFolder } from '#scripts/deploy/manifests.ts'

/** Mounts of a Docket that runs with the files of `deploy/`. Everything else is on the root. */
export type Layout = {
  name: string
  /** Whether the root is read-only. */
  readOnly: boolean
  /** Folders that are mounts of their own, and may be written: on a disk, or in memory. */
  disk: string[]
  memory: string[]
  dataDir: string
}

const root = join(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(join(root, 'deploy', path), 'utf8')

const readUnit = (): Layout => {
  const lines = ['docket.service', 'agent-commands.conf'].flatMap((name) => read(`systemd/${name}`).split('\n'))
  const list = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}=`)).flatMap((line) => line.slice(name.length + 1).split(' '))
  const disk = [
    ...(list('PrivateTmp').at(-1) === 'yes' ? ['/tmp', '/var/tmp'] : []),
    ...list('StateDirectory').map((name) => `/var/lib/${name}`),
    ...list('CacheDirectory').map((name) => `/var/cache/${name}`),
    ...list('ReadWritePaths'),
  ]
  const { DATA_DIR = '' } = parseEnv(list('Environment').join('\n'))
  return { name: 'systemd', readOnly: list('ProtectSystem').at(-1) === 'strict', disk, memory: [], dataDir: DATA_DIR }
}

type Service = {
  image?: string
  read_only?: boolean
  tmpfs?: string[]
  volumes?: string[]
  environment?: Record<string, string>
}

const readCompose = (file: string): Layout[] => {
  const { services } = parse(read(`compose/${file}`), { merge: true }) as { services: Record<string, Service> }
  return Object.entries(services).flatMap(([name, { image, read_only: readOnly = false, ...service }]) => {
    if (image?.startsWith('docket:') !== true) return []
    const { tmpfs = [], volumes = [], environment = {} } = service
    // `name:/path:options`, or a path alone.
    const disk = volumes.flatMap((volume) => volume.split(':').find((part) => part.startsWith('/')) ?? [])
    const memory = tmpfs.map((mount) => mount.split(':')[0]!)
    return { name: `compose ${name}`, readOnly, disk, memory, dataDir: environment['DATA_DIR'] ?? '' }
  })
}

type Deployment = {
  metadata: { name: string }
  spec: {
    template: {
      spec: {
        containers: {
          securityContext: { readOnlyRootFilesystem?: boolean }
          volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[]
        }[]
        volumes: { name: string; emptyDir?: { medium?: string } }[]
      }
    }
  }
}

const readKubernetes = (): Layout[] => {
  const { manifests } = readKubernetesFolder(root)
  const { DATA_DIR = '' } = parseEnv(read('kubernetes/base/settings.env'))
  return manifests
    .filter(({ kind }) => kind === 'Deployment')
    .map((manifest) => {
      const { metadata, spec } = manifest as unknown as Deployment
      const { containers, volumes } = spec.template.spec
      const { securityContext, volumeMounts } = containers[0]!
      const inMemory = new Set(volumes.flatMap(({ name, emptyDir }) => (emptyDir?.medium === 'Memory' ? name : [])))
      const writable = volumeMounts.filter(({ readOnly }) => readOnly !== true)
      const paths = (memory: boolean) =>
        writable.filter(({ name }) => inMemory.has(name) === memory).map(({ mountPath }) => mountPath)
      const readOnly = securityContext.readOnlyRootFilesystem === true
      return {
        name: `kubernetes ${metadata.name}`,
        readOnly,
        disk: paths(false),
        memory: paths(true),
        dataDir: DATA_DIR,
      }
    })
}

/** Layouts of `deploy/`; those with the same mounts are one. The overlays for Kubernetes change no mount that may be written. */
export const readLayouts = (): Layout[] => {
  const all = [readUnit(), ...['compose.yaml', 'workers.yaml'].flatMap(readCompose), ...readKubernetes()]
  const layouts = new Map<string, Layout>()
  for (const layout of all) {
    const { name, readOnly, disk, memory, dataDir } = layout
    const key = JSON.stringify([readOnly, disk.toSorted(), memory.toSorted()])
    const places = [...disk, ...memory]
    if (![dataDir, '/tmp/x'].every((path) => places.some((place) => path.startsWith(place))))
      throw new Error(`${name}: DATA_DIR (${dataDir}) or /tmp is on none of its mounts: ${places.join(', ')}`)
    const same = layouts.get(key)
    layouts.set(key, same === undefined ? layout : { ...same, name: `${same.name}, ${name}` })
  }
  return [...layouts.values()]
}
