import { z } from 'zod'
import * as value from './values.ts'

export const VariableDescription = z.object({
  about: z.string(),
  example: z.string(),
  byDefault: z.string().optional(),
  /** Name of the variable whose value the file contains. */
  fileOf: z.string().optional(),
})
type VariableDescription = z.infer<typeof VariableDescription>

export const optional = <S extends z.ZodType>(schema: S, described: VariableDescription) =>
  schema.optional().meta(described)

/** A variable with a default, which is written as an operator would write it, and parsed like it. */
export const withDefault = <S extends z.ZodType<unknown, string>>(
  schema: S,
  described: VariableDescription & { byDefault: string },
) => (schema as z.ZodType<z.output<S>, string>).prefault(described.byDefault).meta(described)

/**
 * An optional secret `NAME`, or `NAME_FILE` with the path of a file that contains it, such as `file`. Setting both is an error. By
 * default, the content of the file is parsed like the value.
 */
export const secret = <
  const Name extends string,
  Output,
  File extends z.ZodType<unknown, string> = ReturnType<typeof value.fileWith<Output>>,
>(
  name: Name,
  schema: z.ZodType<Output, string>,
  { file, ...described }: VariableDescription & { file: string },
  otherFile?: { schema: File; about: string },
) => {
  const { schema: fileSchema, about } = otherFile ?? {
    schema: value.fileWith(schema),
    about: `File that contains \`${name}\`.`,
  }
  return {
    [name]: optional(schema, described),
    [`${name}_FILE`]: optional(fileSchema, { about, example: file, fileOf: name }),
  } as Record<Name, z.ZodOptional<z.ZodType<Output, string>>> & Record<`${Name}_FILE`, z.ZodOptional<File>>
}

/** Variables of an object store, after that of its bucket. */
export const s3Variables = <const Name extends string>(
  name: Name,
  example: { accessKey: string; secretFile: string },
) => {
  const endpoint = optional(value.storeAddress, {
    about: 'Address of that object store. The default is AWS in the given region.',
    example: 'https://s3.example.com',
  })
  const allowHttp = withDefault(value.yesOrNo, {
    about:
      'Allows plain http to that object store, such as inside a cluster. Whoever reads the network between then reads the bundles, and can change them.',
    byDefault: 'false',
    example: 'true',
  })
  const region = withDefault(value.plain, {
    about: 'Region of that object store.',
    byDefault: 'us-east-1',
    example: 'eu-central-1',
  })
  const credentials = optional(value.word(['role']), {
    about: `With \`role\`, Docket uses the role of its machine or pod instead of keys, as the AWS SDK finds it: web identity, container or instance. Only then Docket asks a metadata service.`,
    example: 'role',
  })
  const accessKeyId = optional(value.plain, {
    about: `Access key of that object store. Required with \`${name}_S3_BUCKET\`, without a role.`,
    example: example.accessKey,
  })
  const secretAccessKey = secret(`${name}_S3_SECRET_ACCESS_KEY` as const, value.plain, {
    about: 'Secret of that access key. It never leaves the server.',
    example: '0123456789abcdef',
    file: example.secretFile,
  })
  const sessionToken = secret(`${name}_S3_SESSION_TOKEN` as const, value.plain, {
    about: 'Session token of a temporary access key. It is read at the start.',
    example: 'FwoGZXIvYXdzEBYaD',
    file: example.secretFile.replace(/secret$/, 'session-token'),
  })
  return {
    [`${name}_S3_ENDPOINT`]: endpoint,
    [`${name}_S3_ALLOW_HTTP`]: allowHttp,
    [`${name}_S3_REGION`]: region,
    [`${name}_S3_ACCESS_KEY_ID`]: accessKeyId,
    ...secretAccessKey,
    ...sessionToken,
    [`${name}_S3_CREDENTIALS`]: credentials,
  } as Record<`${Name}_S3_ENDPOINT`, typeof endpoint> &
    Record<`${Name}_S3_ALLOW_HTTP`, typeof allowHttp> &
    Record<`${Name}_S3_REGION`, typeof region> &
    Record<`${Name}_S3_ACCESS_KEY_ID`, typeof accessKeyId> &
    typeof secretAccessKey &
    typeof sessionToken &
    Record<`${Name}_S3_CREDENTIALS`, typeof credentials>
}

export const listSecretVariables = (shape: Readonly<Record<string, z.ZodType>>): string[] =>
  Object.values(shape).flatMap((schema) => VariableDescription.parse(schema.meta()).fileOf ?? [])
