/** True when `key` is one of the record's own keys. */
export const hasKey = <K extends string>(record: Readonly<Record<K, unknown>>, key: string): key is K =>
  Object.hasOwn(record, key)
