/** A bucket of an S3 object store. The secret is a function, so printing the configuration cannot print it. */
export type S3Settings = {
  bucket: string
  /** Null: that of AWS. */
  endpoint: string | null
  region: string
  accessKeyId: string
  secretAccessKey: () => string
}

/** Null unless bucket and keys are set. */
export const readS3 = (values: {
  bucket: string | undefined
  endpoint: string | undefined
  region: string
  accessKeyId: string | undefined
  s3Key: string | undefined
}): S3Settings | null => {
  const { bucket, endpoint = null, region, accessKeyId, s3Key } = values
  if (bucket === undefined || accessKeyId === undefined || s3Key === undefined) return null
  return { bucket, endpoint, region, accessKeyId, secretAccessKey: () => s3Key }
}
