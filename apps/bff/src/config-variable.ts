import { z } from 'zod'

/** What the documentation says about one variable. */
export const VariableDescription = z.object({
  about: z.string(),
  example: z.string(),
  byDefault: z.string().optional(),
})
type VariableDescription = z.infer<typeof VariableDescription>

/** A variable that may be absent. */
export const optional = <S extends z.ZodType>(schema: S, described: VariableDescription) =>
  schema.optional().meta(described)

/** A variable with a default, which is written as an operator would write it, and parsed like it. */
export const withDefault = <S extends z.ZodType<unknown, string>>(
  schema: S,
  described: VariableDescription & { byDefault: string },
) => (schema as z.ZodType<z.output<S>, string>).prefault(described.byDefault).meta(described)
