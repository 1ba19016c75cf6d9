import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { user } from './debian-root.ts'
import { packTar, withDirectories, writeGzip, type Entry } from './pack.ts'

/** A layer: the compressed file, and the SHA-256 of what is in it. */
export type Layer = { file: string; diffId: string; note: string }

/** What the labels of an image say. */
export type ImageLabels = { version: string; commit: string; created: Date }

const folder = 'opt/docket'

const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')

/** SHA-256 of a file, in hex. */
export const hashFile = async (file: string): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Uint8Array)
  return hash.digest('hex')
}

/** Packs a release, and its bill of materials, as a layer below `/opt/docket`. */
export const packDocketLayer = async (
  entries: readonly Entry[],
  bom: string,
  created: Date,
  file: string,
): Promise<Layer> => {
  const moved = entries.map((entry) => ({ ...entry, path: `${folder}/${entry.path}` }))
  const more: Entry[] = [
    { path: 'usr/bin/docket', type: 'symlink', mode: 0o777, target: `/${folder}/docket` },
    { path: 'usr/share/sbom/docket.cdx.json', type: 'file', mode: 0o644, content: Buffer.from(bom) },
  ]
  const hash = createHash('sha256')
  const counted = new Transform({
    transform: (chunk: Uint8Array, _encoding, done) => {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  const packed: Readable = packTar(withDirectories([...moved, ...more]), created)
  packed.on('error', (error) => counted.destroy(error))
  await writeGzip(packed.pipe(counted), file)
  return { file, diffId: `sha256:${hash.digest('hex')}`, note: 'Docket' }
}

const healthCheck =
  "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/livez').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"

const seconds = (count: number) => count * 1_000_000_000

/**
 * The configuration of an image. `Healthcheck` is Docker's own: the format of OCI has none, so Podman and Kubernetes
 * ignore it.
 */
export const imageConfig = (layers: readonly Omit<Layer, 'file'>[], { version, commit, created }: ImageLabels) => ({
  created: created.toISOString(),
  architecture: 'amd64',
  os: 'linux',
  config: {
    User: `${user}:${user}`,
    ExposedPorts: { '3000/tcp': {} },
    Env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'DATA_DIR=/data', 'HOME=/data'],
    Entrypoint: [`/${folder}/docket`],
    Cmd: ['start'],
    Volumes: { '/data': {} },
    WorkingDir: '/data',
    StopSignal: 'SIGTERM',
    Labels: {
      'org.opencontainers.image.title': 'Docket',
      'org.opencontainers.image.description':
        'A self-hosted console for static exports and agent jobs of a documentation service.',
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.revision': commit,
      'org.opencontainers.image.created': created.toISOString(),
      'org.opencontainers.image.licenses': 'MIT',
    },
    Healthcheck: {
      Test: ['CMD', `/${folder}/node/bin/node`, '-e', healthCheck],
      Interval: seconds(30),
      Timeout: seconds(5),
      StartPeriod: seconds(60),
      Retries: 3,
    },
  },
  rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
  history: layers.map(({ note }) => ({ created: created.toISOString(), created_by: note })),
})

/**
 * Writes an image as one tar: the layout of OCI, and the list that `docker load` of every version reads. The same layers
 * give the same bytes.
 */
export const writeImage = async (layers: readonly Layer[], labels: ImageLabels, file: string): Promise<void> => {
  const { version, created } = labels
  const name = `docket:${version}`
  const json = (value: unknown) => Buffer.from(JSON.stringify(value))
  const blobs = new Map<string, Entry>()
  const add = (mediaType: string, content: Uint8Array, annotations?: Record<string, string>) => {
    const digest = sha256(content)
    const path = `blobs/sha256/${digest}`
    blobs.set(path, { path, type: 'file', mode: 0o644, content })
    return { mediaType, digest: `sha256:${digest}`, size: content.byteLength, ...(annotations && { annotations }) }
  }
  const descriptors = []
  for (const { file: layer } of layers) {
    const [digest, { size }] = [await hashFile(layer), await stat(layer)]
    const path = `blobs/sha256/${digest}`
    blobs.set(path, { path, type: 'file', mode: 0o644, size, file: layer })
    descriptors.push({ mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip', digest: `sha256:${digest}`, size })
  }
  const config = add('application/vnd.oci.image.config.v1+json', json(imageConfig(layers, labels)))
  const manifestType = 'application/vnd.oci.image.manifest.v1+json'
  const manifest = add(manifestType, json({ schemaVersion: 2, mediaType: manifestType, config, layers: descriptors }), {
    'org.opencontainers.image.ref.name': version,
    'io.containerd.image.name': `docker.io/library/${name}`,
  })
  const toPath = (digest: string) => `blobs/sha256/${digest.replace('sha256:', '')}`
  const text = (path: string, value: unknown): Entry => ({ path, type: 'file', mode: 0o644, content: json(value) })
  const entries = [
    ...blobs.values(),
    text('oci-layout', { imageLayoutVersion: '1.0.0' }),
    text('index.json', {
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.index.v1+json',
      manifests: [{ ...manifest, platform: { architecture: 'amd64', os: 'linux' } }],
    }),
    text('manifest.json', [
      { Config: toPath(config.digest), RepoTags: [name], Layers: descriptors.map(({ digest }) => toPath(digest)) },
    ]),
  ]
  await pipeline(packTar(withDirectories(entries), created), createWriteStream(file))
}

/** A layer of what mmdebstrap built. */
export const openDebianLayer = async (tar: string, file: string): Promise<Layer> => ({
  file,
  diffId: `sha256:${await hashFile(tar)}`,
  note: 'Debian with git, bubblewrap and the certificates of public authorities',
})
