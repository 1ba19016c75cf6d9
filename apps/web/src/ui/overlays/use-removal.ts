import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'

/** Options of `useRemoval`. */
export const removal = <In, Out>(
  client: QueryClient,
  names: readonly string[],
  remove: (input: In) => Promise<Out>,
) => ({
  mutationFn: remove,
  onSettled: () => {
    for (const name of names) void client.invalidateQueries({ queryKey: [name] })
  },
})

/**
 * Mutation after which its own component leaves the page. It ends before the queries with these names are read again,
 * because a component that has left gets no callback, and its message would be lost.
 */
export const useRemoval = <In, Out>(names: readonly string[], remove: (input: In) => Promise<Out>) =>
  useMutation(removal(useQueryClient(), names, remove))
