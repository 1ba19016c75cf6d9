type Disposer = () => Promise<void> | void

const disposers: Disposer[] = []
let disposing: Promise<void> | undefined

const disposeAll = async () => {
  for (let disposer = disposers.pop(); disposer !== undefined; disposer = disposers.pop())
    await Promise.resolve(disposer()).catch((error: unknown) => console.error(error))
}

/**
 * Registers what ends a server or removes a folder. Runs once: by the function it gives, or when the bench ends, also
 * by Ctrl-C.
 */
export const onEnd = (disposer: Disposer): (() => Promise<void>) => {
  disposers.push(disposer)
  return async () => {
    const place = disposers.indexOf(disposer)
    if (place < 0) return
    disposers.splice(place, 1)
    await disposer()
  }
}

/** Ends everything that is still there, the last first. */
export const endAll = (): Promise<void> => (disposing ??= disposeAll().finally(() => (disposing = undefined)))

/** Makes Ctrl-C and SIGTERM end every server and remove every folder before the process goes. */
export const endOnSignal = (): void => {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)
    process.once(signal, () => void endAll().then(() => process.exit(code)))
}
