/** A string kept by the browser under `docket.<name>`; null when there is none, or storage is forbidden. */
export const readStored = (store: 'local' | 'session', name: string): string | null => {
  try {
    return (store === 'local' ? localStorage : sessionStorage).getItem(`docket.${name}`)
  } catch {
    return null
  }
}

/** Keeps `value` under `docket.<name>`, or forgets it when null. Where storage is forbidden nothing happens. */
export const writeStored = (store: 'local' | 'session', name: string, value: string | null): void => {
  try {
    const storage = store === 'local' ? localStorage : sessionStorage
    if (value === null) storage.removeItem(`docket.${name}`)
    else storage.setItem(`docket.${name}`, value)
  } catch {
    // The page works without; only the reload forgets.
  }
}

/** Removes everything under `docket.` from a store, but for the names in `kept`. */
export const forgetStored = (store: 'local' | 'session', except: readonly string[] = []): void => {
  try {
    const storage = store === 'local' ? localStorage : sessionStorage
    for (const key of Object.keys(storage))
      if (key.startsWith('docket.') && !except.includes(key.slice('docket.'.length))) storage.removeItem(key)
  } catch {
    // Where storage is forbidden nothing was kept.
  }
}
