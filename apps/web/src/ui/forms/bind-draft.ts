type FieldName<Draft, Value> = { [Name in keyof Draft]: Draft[Name] extends Value ? Name : never }[keyof Draft] & string

/** Props that bind fields to a draft by their names: `text` for text fields, with the message of `findError`; `flag` for checkboxes. */
export const bindDraft = <Draft extends object>(
  draft: Draft,
  change: (changes: Partial<Draft>) => void,
  findError: (name: string) => string | null | undefined,
) => ({
  text: (name: FieldName<Draft, string>) => ({
    value: draft[name] as string,
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value } as Partial<Draft>),
    error: findError(name),
  }),
  flag: (name: FieldName<Draft, boolean>) => ({
    checked: draft[name] as boolean,
    onChange: (checked: boolean) => change({ [name]: checked } as Partial<Draft>),
  }),
})
