import { z } from 'zod'

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

/** An optional secret `NAME`, or `NAME_FILE` with the path of a file that contains it. Setting both is an error. */
export const secret = <const Name extends string, Value extends z.ZodType, File extends z.ZodType>(
  name: Name,
  schema: Value,
  described: VariableDescription,
  file: { schema: File; example: string; about?: string },
) => {
  const { schema: fileSchema, example, about = `File that contains \`${name}\`.` } = file
  return {
    [name]: optional(schema, described),
    [`${name}_FILE`]: optional(fileSchema, { about, example, fileOf: name }),
  } as Record<Name, z.ZodOptional<Value>> & Record<`${Name}_FILE`, z.ZodOptional<File>>
}

export const listSecrets = (shape: Readonly<Record<string, z.ZodType>>): string[] =>
  Object.values(shape).flatMap((schema) => VariableDescription.parse(schema.meta()).fileOf ?? [])
