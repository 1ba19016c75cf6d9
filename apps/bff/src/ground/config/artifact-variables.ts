import { optional, secret, withDefault } from './variable.ts'
import * as value from './values.ts'

/** Variables of the bundles that Docket stores. */
export const artifactVariables = {
  ARTIFACTS: optional(value.word(['on', 'off']), {
    about:
      'Whether Docket stores the bundle of each completed export, and checks it. With `off`, downloads pass through. Bundles that are stored already stay.',
    byDefault: 'on, or off with BUNDLE_DELIVERY=redirect',
    example: 'off',
  }),
  ARTIFACT_STORE_DIR: optional(value.path, {
    about:
      'Folder for stored bundles, and for those of the local Admin API, below `embedded`. Docket processes on one database must share it, or use S3.',
    byDefault: 'DATA_DIR/artifacts',
    example: '/mnt/bundles',
  }),
  ARTIFACT_S3_BUCKET: optional(value.plain, {
    about:
      'Bucket of an S3 object store for stored bundles, and for those of the local Admin API, below `embedded/`, instead of a folder.',
    example: 'docket-artifacts',
  }),
  ARTIFACT_S3_ENDPOINT: optional(value.storageAddress, {
    about: 'Address of that object store. The default is AWS in the given region.',
    example: 'https://s3.example.com',
  }),
  ARTIFACT_S3_REGION: withDefault(value.plain, {
    about: 'Region of that object store.',
    byDefault: 'us-east-1',
    example: 'eu-central-1',
  }),
  ARTIFACT_S3_ACCESS_KEY_ID: optional(value.plain, {
    about: 'Access key of that object store. Required with `ARTIFACT_S3_BUCKET`.',
    example: 'docket',
  }),
  ...secret(
    'ARTIFACT_S3_SECRET_ACCESS_KEY',
    value.plain,
    { about: 'Secret of that access key. It never leaves the server.', example: '0123456789abcdef' },
    { schema: value.fileWith(value.plain), example: '/run/secrets/artifact-s3-secret' },
  ),
  ARTIFACTS_PER_SITE: withDefault(value.wholeNumber(1, 100_000), {
    about: 'Newest bundles of each site that stay, whatever their age.',
    byDefault: '20',
    example: '50',
  }),
  ARTIFACT_RETENTION_DAYS: withDefault(value.wholeNumber(1, 36_500), {
    about: 'Days after which Docket deletes its copies of older bundles, unless somebody keeps them.',
    byDefault: '365',
    example: '90',
  }),
  ARTIFACT_MAX_BYTES: withDefault(value.wholeNumber(1_024, 1_099_511_627_776), {
    about: 'Largest bundle that Docket stores, in bytes. Larger ones pass through.',
    byDefault: '2147483648',
    example: '536870912',
  }),
}
