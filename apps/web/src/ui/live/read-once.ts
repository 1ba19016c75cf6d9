/** Options of a query that must not be sent again by itself, because it costs a call or its answer works once. */
export const readOnce = {
  staleTime: Infinity,
  gcTime: 0,
  retry: false,
  refetchOnMount: false,
  refetchOnReconnect: false,
  refetchOnWindowFocus: false,
} as const
