import { hiddenPatterns } from '#locator/hidden-files.ts'
import { writeCloudFrontFunction } from './cloudfront-function.ts'
import {
  forever,
  revalidate,
  safeHeaders,
  simplifyRules,
  type ConfigurationFile,
  type HostedSite,
} from './hosted-site.ts'
import { cannotHave } from './netlify.ts'
import { noteLeftOut, writeComment } from './text.ts'

const toJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** The error responses of a distribution: S3 answers 403 for what it does not have, unless the bucket may be listed. */
const writeErrors = ({ path, notFound }: HostedSite) => {
  const items = [403, 404].map((ErrorCode) => ({
    ErrorCode,
    ResponsePagePath: `${path}${notFound}`,
    ResponseCode: '404',
    ErrorCachingMinTTL: 10,
  }))
  return toJson({ Quantity: items.length, Items: items })
}

const writeHeaders = ({ name }: HostedSite) =>
  toJson({
    Name: `docket-${name.replaceAll(/[^a-z\d-]/gi, '-')}`.slice(0, 128),
    SecurityHeadersConfig: {
      ContentTypeOptions: { Override: true },
      ReferrerPolicy: { Override: true, ReferrerPolicy: safeHeaders['Referrer-Policy'] },
    },
  })

const listEndings = ({ paths, types }: HostedSite) => {
  const known = new Map(types.map(({ ending, type }) => [ending, type]))
  const written = new Set([...paths].flatMap((path) => /\.([a-z\d]{1,20})$/i.exec(path)?.[1] ?? []))
  return [...written].toSorted().flatMap((ending) => {
    const type = known.get(ending.toLowerCase())
    return type === undefined ? [] : [{ ending, type }]
  })
}

const writeSync = (site: HostedSite, notes: readonly string[]) => {
  const endings = listEndings(site)
  const quote = (path: string) => `'${path.replaceAll("'", String.raw`'\''`)}'`
  const put = (what: string, type: string, cache: string, more = '') =>
    `put ${what} --content-type '${type}' --cache-control '${cache}'${more}`
  const isPage = ({ type }: { type: string }) => type.startsWith('text/html') || type.startsWith('application/xhtml')
  const hashed = site.hashedFolders.flatMap((folder) =>
    endings
      .filter(({ ending }) =>
        [...site.paths].some((path) => `${site.path}${path}`.startsWith(folder) && path.endsWith(`.${ending}`)),
      )
      .map(({ ending, type }) => put(`--include '${folder.slice(site.path.length)}*.${ending}'`, type, forever)),
  )
  const notHashed = site.hashedFolders.map((folder) => ` --exclude '${folder.slice(site.path.length)}*'`).join('')
  const put1 = ({ ending, type }: { ending: string; type: string }) =>
    put(`--include '*.${ending}'`, type, revalidate, notHashed)
  const unknown = endings.map(({ ending }) => ` --exclude '*.${ending}'`).join('')
  const head = writeComment('#', [
    `${site.name} on S3 and CloudFront, made by Docket from the bundle ${site.sha256}.`,
    `Unpack the bundle to ${site.folder}, then: sh sync.sh <bucket> [<distribution>]`,
    'New files come first, then pages, then deletions, so that readers meet no page without its files.',
    ...(site.missing.every(({ folder }) => folder === '') && site.rules.every(({ status }) => status < 400)
      ? []
      : [
          'CloudFront has one page for unknown addresses. Those of folders and of rules with the status 404 or 410 are left out.',
        ]),
    ...notes,
  ])
  return [
    '#!/bin/sh',
    head,
    'set -eu',
    "bucket=${1:?'Say which bucket: sh sync.sh <bucket> [<distribution>]'}",
    `from='${site.siteFolder}'`,
    `to="s3://$bucket${site.path}"`,
    '# What is not for readers stays here.',
    `sync() { aws s3 sync "$from" "$to" --no-progress "$@"${hiddenPatterns.map((one) => ` --exclude '${one}'`).join('')}; }`,
    `put() { sync --exclude '*' "$@"; }`,
    '',
    ...hashed,
    ...endings.filter((one) => !isPage(one)).map(put1),
    ...site.typed.map(({ path, type }) => put(`--include ${quote(path)}`, type, revalidate)),
    put("--include '*'", site.plainType, revalidate, unknown),
    ...endings.filter(isPage).map(put1),
    'sync --delete',
    `if [ "\${2:-}" != '' ]; then aws cloudfront create-invalidation --distribution-id "$2" --paths '${site.path}*'; fi`,
    '',
  ].join('\n')
}

const writeSteps = (site: HostedSite, hasStore: boolean) => {
  const lines = [
    `${site.name} on S3 and CloudFront`,
    '',
    '1. Run sync.sh. It needs the AWS CLI.',
    ...(hasStore
      ? [
          '2. Upload key-value-store.json to a bucket, and create a key value store of CloudFront from it. With each new bundle,',
          '   update the store from the new file: it lists the pages.',
          '3. Create a CloudFront Function of runtime 2.0 from viewer-request.js, associate the store with it, and publish it.',
        ]
      : [
          '2. Create a CloudFront Function of runtime 2.0 from viewer-request.js, and publish it. With each new bundle, update',
          '   it: it lists the pages.',
        ]),
    'Then give the behaviour of the distribution:',
    '- the bucket as its origin, with origin access control, and no default root object',
    '- the function at “viewer request”',
    '- “Compress objects automatically”, and the cache policy CachingOptimized',
    '- a response headers policy from response-headers-policy.json:',
    '  aws cloudfront create-response-headers-policy --response-headers-policy-config file://response-headers-policy.json',
    ...(site.notFound === null
      ? []
      : ['- the error responses of error-responses.json (CustomErrorResponses of its configuration)']),
  ]
  return `${lines.join('\n')}\n`
}

export const writeS3CloudFront = (whole: HostedSite): ConfigurationFile[] => {
  const site = simplifyRules(whole)
  const { code, store, leftOut } = writeCloudFrontFunction(site)
  return [
    { name: 'STEPS.txt', text: writeSteps(site, store !== null) },
    { name: 'sync.sh', text: writeSync(site, [...site.notes, ...noteLeftOut(cannotHave, leftOut)]) },
    { name: 'viewer-request.js', text: code },
    ...(store === null ? [] : [{ name: 'key-value-store.json', text: store }]),
    ...(site.notFound === null ? [] : [{ name: 'error-responses.json', text: writeErrors(site) }]),
    { name: 'response-headers-policy.json', text: writeHeaders(site) },
  ]
}
