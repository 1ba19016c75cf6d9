import { useMutation, useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { isNoAnswer } from '#lib/api/connectivity.ts'
import { toast, toastDone, toastFailure } from '#ui/messages/toast.ts'

type Options<Out> = {
  gcTime?: number
  onError?: (error: Error) => void
  keep?: (client: QueryClient, out: Out) => void
}

export const createWriteOptions = <In, Out>(
  client: QueryClient,
  keys: readonly (string | QueryKey)[],
  write: (input: In) => Promise<Out>,
  { keep, ...options }: Options<Out> = {},
) => ({
  ...options,
  mutationFn: write,
  onSuccess: (out: Out) => keep?.(client, out),
  onSettled: (_: unknown, error: unknown) => {
    const current = Promise.all(keys.map((key) => client.invalidateQueries({ queryKey: [key].flat() })))
    // A server that does not answer the command may keep the reads waiting too.
    return isNoAnswer(error) ? undefined : current
  },
})

/**
 * A command, busy until the queries with these keys are read again; also after a refusal, because they may have been stale.
 * Callbacks of `mutate` are lost if the component leaves the page by then; the promise of `mutateAsync` is not.
 */
export const useWrite = <In, Out>(
  keys: readonly (string | QueryKey)[],
  write: (input: In) => Promise<Out>,
  options?: Options<Out>,
) => useMutation(createWriteOptions(useQueryClient(), keys, write, options))

/** Shows how a command ended, even if its component has left the page by then. `failure` precedes the reason. */
export const toastEnd = <Out>(command: Promise<Out>, message: string | ((out: Out) => string), failure = ''): void =>
  void command.then(toastDone(message), toastFailure(failure))

/** Like `toastEnd`, with a button that undoes the command. */
export const toastUndo = (command: Promise<unknown>, message: string, undo: () => Promise<unknown>): void =>
  void command.then(
    () => toast(message, { action: { label: 'Undo', run: () => void undo().catch(toastFailure()) } }),
    toastFailure(),
  )
