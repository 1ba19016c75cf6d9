import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import type { ConfigurationFile } from '#packages/site-bundle/src/host-configuration/hosted-site.ts'
import type { Answer } from './expected.ts'
import type { OpenedBundle } from './opened-bundle.ts'

type Event = { request: { uri: string; querystring: Record<string, { value: string }> } }
type Handled = { uri: string } | { statusCode: number; headers?: { location: { value: string } } }

/** Plays CloudFront and a bucket: the function is run as it is written, and the bucket answers for keys. */
export const playCloudFront = (
  { manifest, folder, path: mount }: OpenedBundle,
  files: readonly ConfigurationFile[],
): ((address: string) => Promise<Answer>) => {
  const read = (name: string) => files.find((file) => file.name === name)?.text
  const { data } = JSON.parse(read('key-value-store.json') ?? '{"data":[]}') as {
    data: { key: string; value: string }[]
  }
  const store = new Map(data.map(({ key, value }) => [key, value]))
  const get = async (key: string) => {
    const value = store.get(key)
    if (value === undefined) throw new Error('no such key')
    return value
  }
  const code = (read('viewer-request.js') ?? '').replace("import cf from 'cloudfront'", '')
  const handler = runInNewContext(`${code}\nhandler`, {
    cf: { kvs: () => ({ get }) },
    decodeURIComponent,
    encodeURIComponent,
  }) as (event: Event) => Promise<Handled>
  const excluded = [...(read('sync.sh')?.match(/^sync\(\).*$/m)?.[0] ?? '').matchAll(/--exclude '([^']+)'/g)].map(
    ([, pattern = '']) => new RegExp(`^${pattern.replaceAll('.', String.raw`\.`).replaceAll('*', '.*')}$`),
  )
  const errors = read('error-responses.json')
  const notFound =
    errors === undefined
      ? null
      : (JSON.parse(errors) as { Items: { ResponsePagePath: string }[] }).Items[0]!.ResponsePagePath
  const readObject = (uri: string, status: number): Answer | null => {
    const key = decodeURIComponent(uri)
    if (!key.startsWith(mount)) return null
    if (excluded.some((pattern) => pattern.test(key.slice(mount.length)))) return null
    const name = manifest.root + key.slice(mount.length)
    const file = `${folder}/${name}`
    const stored = manifest.files.find((one) => one.path === name)
    if (stored === undefined || !existsSync(file)) return null
    const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex')
    return { status, location: null, sha256, type: stored.type }
  }
  return async (address) => {
    const [uri = '', query = ''] = address.split(/\?(.*)/s, 2)
    const querystring = Object.fromEntries(
      query.split('&').flatMap((part) => {
        const [name = '', value = ''] = part.split('=')
        return name === '' ? [] : [[name, { value }]]
      }),
    )
    const handled = await handler({ request: { uri, querystring } })
    const nothing = { status: 404, location: null, sha256: null, type: null }
    if ('statusCode' in handled)
      return { ...nothing, status: handled.statusCode, location: handled.headers?.location.value ?? null }
    return readObject(handled.uri, 200) ?? (notFound === null ? null : readObject(notFound, 404)) ?? nothing
  }
}
