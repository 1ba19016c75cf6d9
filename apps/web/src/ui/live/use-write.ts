import { useMutation, useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { isNoAnswer } from '#lib/api/connectivity.ts'

type Options<Out> = {
  gcTime?: number
  onError?: (error: Error) => void
  keep?: (client: QueryClient, out: Out) => void
}

export const writing = <In, Out>(
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
) => useMutation(writing(useQueryClient(), keys, write, options))
