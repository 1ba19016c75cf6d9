import { writeApache } from './apache.ts'
import { writeCaddy } from './caddy.ts'
import { writeCloudflarePages } from './cloudflare-pages.ts'
import {
  describeHostedSite,
  type ConfigurationFile,
  type HostedManifest,
  type HostedSite,
  type HostPlace,
} from './hosted-site.ts'
import { writeNetlify } from './netlify.ts'
import { writeNginx } from './nginx.ts'
import { writeS3CloudFront } from './s3-cloudfront.ts'

export type Host = 'nginx' | 'caddy' | 'apache' | 's3_cloudfront' | 'netlify' | 'cloudflare_pages'

const writers: Readonly<Record<Host, (site: HostedSite) => ConfigurationFile[]>> = {
  nginx: writeNginx,
  caddy: writeCaddy,
  apache: writeApache,
  s3_cloudfront: writeS3CloudFront,
  netlify: writeNetlify,
  cloudflare_pages: writeCloudflarePages,
}

/** Null when every configuration can be written for the place. */
export const findPlaceProblem = ({ name, folder, path }: HostPlace): keyof HostPlace | null => {
  if (name.length > 253 || !/^(?!-)[a-z\d-]{1,63}(?<!-)(\.(?!-)[a-z\d-]{1,63}(?<!-))*$/i.test(name)) return 'name'
  const climbs = /\/\.\.?(\/|$)/
  if (folder.length > 500 || !/^(\/[\w.@+-]+(?: [\w.@+-]+)*)+\/?$/.test(folder) || climbs.test(folder)) return 'folder'
  if (path.length > 200 || !/^\/([\w.-]+\/)*$/.test(path) || climbs.test(path)) return 'path'
  return null
}

/** The bundle may be hostile, so unsafe parts are left out and noted. Throws TypeError for an unusable place. */
export const writeHostConfiguration = (host: Host, manifest: HostedManifest, place: HostPlace): ConfigurationFile[] => {
  if (findPlaceProblem(place) !== null) throw new TypeError('The name, folder or path cannot stand in a configuration')
  const fillsFiles = host === 'netlify' || host === 'cloudflare_pages'
  return writers[host](describeHostedSite(manifest, place, fillsFiles))
}
